/** CSS Modules: the names of their classes. That each name is there is proven by test/ui/console/styles.test.ts. */
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>
  export default classes
}
