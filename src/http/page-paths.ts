/**
 * Page paths in URLs. A page path is the tail of the URL, percent-encoded once; it is taken from the raw URL, because the
 * router decodes some characters before and some after matching.
 */
import { encodePath } from '#core/model/path.ts';
import { invalid } from '#core/model/problem.ts';

/** The decoded tail of `url` after the fixed segments of a route such as `/v1/pages/*`. */
export function tailOf(url: string, pattern: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  // Counts slashes instead of characters, because the fixed segments may be percent-encoded as well.
  let from = 0;
  for (let slashes = pattern.split('/').length - 1; slashes > 0; slashes--)
    from = path.indexOf('/', from) + 1;
  return decodeOnce(path.slice(from));
}

export function decodeOnce(encoded: string, what = 'URL'): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw invalid('', `The ${what} is not valid percent-encoded UTF-8.`);
  }
}

/** URL of a page under a prefix, valid in a header. */
export function urlOf(prefix: string, path: string): string {
  return prefix + encodePath(path);
}
