/** Progress of a running import: streamed by the server, or polled if that connection fails. */
import { say } from './words.ts';

interface Progress {
  state: string;
  done: number;
  total: number | null;
}

const askEveryMs = 3000;
const place = document.querySelector<HTMLElement>('[data-import]');
const words = place?.querySelector('[data-import-words]');
const bar = place?.querySelector('progress');

function show({ state, done, total }: Progress): boolean {
  if (state !== 'running') {
    location.reload();
    return false;
  }
  if (total !== null && done > 0 && words && bar) {
    words.textContent = say('scriptImport.pagesWritten', { done, total });
    bar.max = total;
    bar.value = done;
  }
  return true;
}

if (place) {
  const url = `/v1/imports/${place.dataset.import}`;
  const ask = () =>
    fetch(url, { headers: { accept: 'application/json' } }).then(
      async (answer) => {
        if (!answer.ok) return location.reload();
        if (show((await answer.json()) as Progress)) setTimeout(ask, askEveryMs);
      },
      () => setTimeout(ask, askEveryMs),
    );
  const events = new EventSource(url);
  events.addEventListener('message', ({ data }) => {
    if (!show(JSON.parse(data) as Progress)) events.close();
  });
  events.addEventListener('error', () => {
    events.close();
    void ask();
  });
}
