/** Sessions end a quarter of an hour after the last request: thinking over what is unsaved must not cost one. */
export function stayAwake(isNeeded: () => boolean): void {
  setInterval(() => {
    if (document.visibilityState === 'visible' && isNeeded()) void fetch('/search/titles').catch(() => {});
  }, awakeEveryMs);
}

const awakeEveryMs = 4 * 60 * 1000;
