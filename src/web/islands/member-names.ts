/** Completes names of members in fields that ask for one: `data-member-names` is where they are found (GET ?name=). */
import { ask } from './ask.ts';
import { Combobox } from './combobox.ts';

export function suggestMembers(within: ParentNode): void {
  for (const input of within.querySelectorAll<HTMLInputElement>('input[data-member-names]'))
    new Combobox(input, {
      async suggest(text, signal) {
        const url = `${input.dataset.memberNames}?name=${encodeURIComponent(text)}`;
        const found = await ask<{ members: { name: string }[] }>(url, { signal });
        return (found?.members ?? []).map(({ name }) => ({ label: name }));
      },
      onPick: () => {},
    }).connect();
}
