// The first script of a page that has a recording inside: it has the contents ready, and opens the recording.
{
  const text = document.getElementById('contents')?.textContent ?? ''
  const contents = /** @type {{recordings: {id: string}[]}} */ (JSON.parse(text))
  Object.assign(globalThis, { expresslaneSite: contents })
  const [first] = contents.recordings
  if (location.search === '' && first !== undefined)
    history.replaceState(null, '', `?${new URLSearchParams({ recording: first.id }).toString()}${location.hash}`)
}
