/** `coppice demo`: fills an empty wiki with an invented valley, so that a newcomer sees everything within a minute. */
import { randomBytes } from 'node:crypto';
import { createPage } from '#domain/create-page.ts';
import { editPage } from '#domain/edit-page.ts';
import { likePage } from '#domain/like-page.ts';
import { addMember, setPassphrase } from '#domain/manage-members.ts';
import { slugOf } from '#domain/path.ts';
import { Problem } from '#domain/problem.ts';
import { createRenderer } from '#domain/render.ts';
import { command, readArguments } from './command/arguments.ts';
import type { OpenParts } from './command/parts.ts';
import { landscape } from './demo/pictures.ts';
import { type DemoPage, readWorld } from './demo/world.ts';

const help = `Usage: coppice demo [--keep]

Fills an empty wiki with a demonstration world of some 150 pages and prints how to sign in. Refuses if there are pages.

  --keep   A wiki that was filled before is left as it is; only the administrator's passphrase is made anew.
`;

const administrator = 'steward@alder.example';
const names = ['Valley Steward', 'Ada Reed', 'Odo Birch', 'Mina Ferry'];
const messages = ['Say more', 'Add what lies nearby', 'Pictures and neighbours', 'As told at the market'];
const hourMs = 3_600_000;

export const run = command('demo', help, async (args, parts, io) => {
  const { values } = readArguments(args, [], { keep: { type: 'boolean', default: false } });
  await using open = await parts.open();
  const { store, passphrases } = open;
  const passphrase = randomBytes(12).toString('base64url');
  const { pages } = await store.upkeep.counts();
  if (pages > 0) {
    const isWhole = (await store.pages.findByPath('/home')) !== undefined;
    if (!values.keep || !isWhole) {
      throw new Problem('invalid', 'This wiki already has pages: set COPPICE_DATA to an empty folder.');
    }
    await setPassphrase(store, passphrases, administrator, passphrase);
  } else {
    io.stdout.write(`${await fill(open, passphrase, parts.clock())} pages made.\n`);
  }
  io.stdout.write(`Sign in as ${administrator} with the passphrase ${passphrase}\n`);
  return 0;
});

/** How many pages were made. Their changes lie in the weeks before `now`. */
async function fill(open: OpenParts, passphrase: string, now: number): Promise<number> {
  const { store, files, passphrases } = open;
  const actors = [];
  for (const [index, name] of names.entries()) {
    const email = index === 0 ? administrator : `${slugOf(name)}@alder.example`;
    const input = { email, name, isAdmin: index === 0, passphrase: index === 0 ? passphrase : null };
    const { id } = await addMember(store, passphrases, input, now - 1000 * hourMs);
    actors.push({ memberId: id, name, isAdmin: index === 0 });
  }
  const renderer = createRenderer('Alder Valley');
  const world = readWorld();
  for (const [index, page] of world.entries()) {
    const { drafts, hasPictures, ...input } = page;
    const at = now - (world.length - index + 30) * 4 * hourMs;
    const actor = actors[index % actors.length] ?? null;
    const attached = hasPictures ? await pictures(open, page, index) : [];
    const first = { ...input, body: drafts[0] ?? '', files: attached, msg: 'First words' };
    await createPage(store, files, actor, first, at);
    for (const [later, body] of drafts.slice(1).entries()) {
      const editor = actors[(index + later + 1) % actors.length] ?? null;
      const msg = messages[(index + later) % messages.length] ?? '';
      await editPage(
        store,
        files,
        renderer,
        editor,
        page.path,
        { body, msg },
        at + (later + 1) * 25 * hourMs,
      );
    }
    for (const fan of actors.slice(0, index % 5 === 0 ? 1 + (index % 3) : 0)) {
      if (input.permissions === undefined) await likePage(store, fan, page.path, now);
    }
  }
  return world.length;
}

async function pictures({ files }: OpenParts, { title }: DemoPage, index: number) {
  const made = [];
  for (const number of [1, 2]) {
    const blob = await files.store.put(landscape(index * 2 + number), 5_000_000);
    made.push({ file: { filename: `${slugOf(title)}-${number}.png`, blob } });
  }
  return made;
}
