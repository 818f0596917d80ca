// Runs before the first paint. A file, not an inline script: the page's policy allows none.
{
  // The stored theme, or the system's, so that nothing flashes.
  const kept = localStorage.getItem("quartet.theme")
  const isDark = kept === "dark" || (kept !== "light" && matchMedia("(prefers-color-scheme: dark)").matches)
  document.documentElement.dataset.theme = isDark ? "dark" : "light"
}
