// The first script of a page that has a recording inside: it has the contents ready, and opens the recording.
{
  const contents = JSON.parse(document.getElementById('contents')?.textContent ?? '')
  Object.assign(globalThis, { expresslaneSite: contents })
  const [{ id }] = contents.recordings
  if (location.search === '')
    history.replaceState(null, '', `?${new URLSearchParams({ recording: id })}${location.hash}`)
}
