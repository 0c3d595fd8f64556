/** Requests to the wiki's own API. */

/** Returns the parsed response, or undefined if the wiki refuses, does not respond, or the request was aborted. */
export async function ask<T>(url: string, options?: RequestInit): Promise<T | undefined> {
  try {
    const answer = await fetch(url, { headers: { accept: 'application/json' }, ...options });
    return answer.ok ? ((await answer.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}
