/**
 * The content of a change as JSON text, which is how it is stored. All fields stand in one order, so that a long history
 * can be shown by copying text that is known to be whole, instead of parsing and writing every change again.
 */
import type { Content } from './page.ts';

/** `data`, the only field whose keys anybody may choose, stands between `parent` and `image`. */
export function contentText(content: Content): string {
  const ordered: { [Field in keyof Required<Content>]: Content[Field] } = {
    title: content.title,
    slug: content.slug,
    path: content.path,
    parent: content.parent ?? null,
    description: content.description,
    type: content.type,
    permissions: content.permissions,
    location: content.location,
    body: content.body,
    format: content.format,
    data: content.data,
    image: content.image ?? null,
    msg: content.msg ?? '',
    files: content.files,
  };
  return JSON.stringify(ordered);
}
