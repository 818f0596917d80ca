// Sets the stored theme before the first paint. A file, not an inline script: the page's policy allows none.
document.documentElement.dataset.theme = localStorage.getItem("quartet.theme") ?? "system"
