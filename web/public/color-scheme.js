// Runs before the first paint, so that a dark page never flashes white. A file of its own
// because the CSP allows no inline script. Follows the system until someone chooses, in any tab.
{
  const system = matchMedia('(prefers-color-scheme: dark)')
  const show = () => {
    const kept = localStorage.getItem('color-scheme')
    const dark = kept === 'dark' || (kept !== 'light' && system.matches)
    document.documentElement.dataset.colorScheme = dark ? 'dark' : 'light'
  }
  show()
  system.addEventListener('change', show)
  addEventListener('storage', show)
}
