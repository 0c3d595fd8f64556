/** Keeps the session alive, which ends a quarter of an hour after the last request, while there is unsaved text. */
export function stayAwake(isNeeded: () => boolean): void {
  setInterval(() => {
    if (document.visibilityState === 'visible' && isNeeded()) void fetch('/search/titles').catch(() => {});
  }, awakeEveryMs);
}

const awakeEveryMs = 4 * 60 * 1000;
