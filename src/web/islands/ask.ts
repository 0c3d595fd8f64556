/** Questions to the wiki's own API. */

/** The answer as it stands; undefined if the wiki refuses, does not answer, or the question was withdrawn. */
export async function ask<T>(url: string, options?: RequestInit): Promise<T | undefined> {
  try {
    const answer = await fetch(url, { headers: { accept: 'application/json' }, ...options });
    return answer.ok ? ((await answer.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}
