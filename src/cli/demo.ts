/** `coppice demo`: fills an empty wiki with a fictional valley, so that newcomers see all features at once. */
import { randomBytes } from 'node:crypto';
import { addMember, setPassphrase } from '#core/members/manage-members.ts';
import { slugOf } from '#core/model/path.ts';
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { createPage } from '#core/pages/create-page.ts';
import { type EditInput, saveEdit } from '#core/pages/edit-page.ts';
import { likePage } from '#core/pages/like-page.ts';
import { saveRollback } from '#core/pages/rollback-page.ts';
import { command, readArguments } from './command/arguments.ts';
import type { OpenWiki } from './command/context.ts';
import { type DemoPage, readWorld } from './demo/world.ts';

const help = `Usage: coppice demo [--keep]

Fills an empty wiki with an invented valley of 167 pages and prints how to sign in. Refuses if there are pages.

  --keep   Leaves an already filled wiki unchanged and only gives the administrator a new passphrase.
`;

const administrator = 'steward@alder.example';
const names = ['Valley Steward', 'Nell Quay', 'Lambert Quill', 'Una Heron', 'Tam Redd', 'Mabel Oxley'];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Age in days of the first page and of the last one before the front page. */
const [firstDaysAgo, lastDaysAgo] = [420, 30];

export const run = command('demo', help, async (args, context, io) => {
  const { values } = readArguments(args, [], { keep: { type: 'boolean', default: false } });
  await using open = await context.open({ mayCreate: true });
  const { store, passphrases } = open;
  const passphrase = randomBytes(12).toString('base64url');
  const { pages } = await store.maintenance.counts();
  if (pages > 0) {
    const isWhole = (await store.readAsSystem().pages.findByPath('/home')) !== undefined;
    if (!values.keep || !isWhole) {
      throw new Problem('invalid', 'This wiki already has pages. Set COPPICE_DATA to an empty folder.');
    }
    await setPassphrase({ store, passphrases, now: context.clock() }, administrator, passphrase);
  } else {
    io.stdout.write(`${await fill(open, passphrase, context.clock())} pages made.\n`);
  }
  io.stdout.write(`Sign in as ${administrator} with the passphrase ${passphrase}\n`);
  return 0;
});

/** Returns the number of pages. Their changes are spread over the fourteen months before `now`, in order. */
async function fill(open: OpenWiki, passphrase: string, now: number): Promise<number> {
  const { store, passphrases } = open;
  const actors: Member[] = [];
  for (const [index, name] of names.entries()) {
    const email = index === 0 ? administrator : `${slugOf(name)}@alder.example`;
    const input = { email, name, isAdmin: index === 0, passphrase: index === 0 ? passphrase : null };
    const { id } = await addMember(store, passphrases, input, now - (firstDaysAgo + 1) * dayMs);
    actors.push({ memberId: id, name, isAdmin: index === 0 });
  }
  const world = readWorld();
  const deeds = world.flatMap((page, index) =>
    deedsOf(open, page, { index, total: world.length, actors, now }),
  );
  for (const { at, run } of deeds.sort((a, b) => a.at - b.at)) await run(Math.round(at));
  for (const [index, page] of world.entries()) {
    const fans = page.permissions === undefined && index % 4 === 0 ? 1 + (index % 5) : 0;
    for (const fan of actors.slice(0, fans)) await likePage(store, fan, page.path, now);
  }
  return world.length;
}

type Member = NonNullable<Actor>;

interface Deed {
  at: number;
  run(at: number): Promise<void>;
}

/** Creation of a page and its changes. */
function deedsOf(
  { store, files }: OpenWiki,
  page: DemoPage,
  { index, total, actors, now }: { index: number; total: number; actors: Member[]; now: number },
): Deed[] {
  const { steps, pictures, path, parent, firstParent, ...input } = page;
  const isLast = index === total - 1;
  const daysAgo = firstDaysAgo - ((firstDaysAgo - lastDaysAgo) * index) / total;
  const begun = isLast ? now - hourMs : now - daysAgo * dayMs;
  // Pages written week by week have one change per day; other pages get changes at growing intervals.
  const timeOf = (step: number) => {
    const share =
      steps.length > 20
        ? step / steps.length
        : ((step - ((index * 7 + step * 3) % 10) / 12) / steps.length) ** 1.3;
    return begun + (now - 2 * hourMs - begun) * share;
  };
  // Path before a move, and earlier texts in changes.
  const first = `${firstParent ?? parent ?? ''}/${path.slice(path.lastIndexOf('/') + 1)}`;
  const changes: number[] = [];
  const [making, ...later] = steps;
  const made: Deed = {
    at: begun,
    async run(at) {
      const attached = [];
      for (const { filename, bytes } of pictures)
        attached.push({ file: { filename, blob: await files.store.put(bytes(), 5_000_000) } });
      const placed = { path: first, parent: firstParent ?? parent ?? '' };
      const whole = { ...input, ...making, ...placed, files: attached };
      const { changeId } = await createPage({ store, files, actor: authorOf(0), now: at }, whole);
      changes.push(changeId);
    },
  };
  const edit = async (change: EditInput, step: number, at: number) => {
    const { page } = await saveEdit({ store, files, actor: authorOf(step), now: at }, first, change);
    changes.push(page.changeId);
  };
  const changed = later.map((step, count): Deed => {
    const number = count + 1;
    return {
      at: timeOf(number),
      async run(at) {
        const { msg } = step;
        if (!('isUndone' in step)) {
          const base = step.isLate && changes.at(-2);
          return edit({ msg, body: step.body, ...(base ? { base } : {}) }, number, at);
        }
        const back = { to: changes.at(-2) ?? 0, msg };
        const { page } = await saveRollback({ store, actor: authorOf(number), now: at }, first, back);
        changes.push(page.changeId);
      },
    };
  });
  const move = { parent: parent ?? '', msg: 'Where it belongs' };
  const moved = firstParent ? [{ at: timeOf(steps.length), run: (at: number) => edit(move, 0, at) }] : [];
  return [made, ...changed, ...moved];

  function authorOf(step: number): Actor {
    return (isLast ? actors[0] : actors[(index * 5 + step) % actors.length]) ?? null;
  }
}
