/** Path that the log states of a slow request of a page. */

const slowMs = 1000;

/**
 * Undefined unless the request was slow, its route ends with the path of a page, and it succeeded: links with secrets have
 * routes of their own, and a mistyped one finds no page. Never contains the query, which may hold search terms.
 */
export function slowPath(request: {
  route: string;
  url: string;
  status: number;
  ms: number;
}): string | undefined {
  const { route, url, status, ms } = request;
  if (ms < slowMs || status >= 400 || !route.endsWith('/*')) return undefined;
  return url.split(/[?#]/, 1)[0];
}
