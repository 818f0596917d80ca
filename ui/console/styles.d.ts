/** CSS Modules: the names of their classes. test/ui/console/styles.test.ts proves that each name exists. */
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>
  export default classes
}
