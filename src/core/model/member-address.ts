/** Address of the page about a member, which stands for a member where several have the same name. */
import { parseId } from './id.ts';

/** Address of the page about the member, without host. */
export function memberUrl(id: number): string {
  return `/members/${id}`;
}

/** ID in such an address; undefined for any other text. */
export function idInMemberUrl(text: string): number | undefined {
  return parseId(/^\/members\/(\d+)$/.exec(text)?.[1]);
}
