// The site's first script. It limits the page's connections to the recordings that its address names, and loads the page: as
// modules from a server, as one script from a disk, where a page may load no modules.
{
  const { module = '', whole = '', styles = '' } = document.currentScript?.dataset ?? {}
  const named = new URLSearchParams(location.search).getAll('recording').filter((name) => /^https?:/.test(name))
  const addresses = named.flatMap((name) => {
    try {
      const { origin, pathname } = new URL(name)
      return `${origin}${pathname.replaceAll(/[;,\s]/g, encodeURIComponent)}`
    } catch {
      // The page says that it can't be read.
      return []
    }
  })
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = `connect-src ${addresses.length === 0 ? "'none'" : addresses.join(' ')}`
  document.head.append(policy)

  const fromDisk = location.protocol === 'file:'
  const style = document.createElement('link')
  style.rel = 'stylesheet'
  style.href = styles
  const script = document.createElement('script')
  script.src = fromDisk ? whole : module
  if (fromDisk) script.defer = true
  else script.type = 'module'
  document.head.append(style, script)
  if (!fromDisk && 'serviceWorker' in navigator) void navigator.serviceWorker.register('service-worker.js')
}
