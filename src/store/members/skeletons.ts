/** Columns for finding members whose names or addresses look alike. */
import { sql } from 'kysely';
import { emailSkeleton, nameSkeletons } from '#core/members/skeleton.ts';
import type { Database } from '../engine.ts';

const sliceSize = 500;

export function nameColumns(name: string): { name_skeleton: string; folded_name_skeleton: string } {
  const { written, folded } = nameSkeletons(name);
  return { name_skeleton: written, folded_name_skeleton: folded };
}

export function emailColumns(email: string): { email_skeleton: string } {
  return { email_skeleton: emailSkeleton(email) };
}

/** For members from a backup without these columns. */
export async function fillSkeletons(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql<{
      id: number;
      name: string;
      email: string;
    }>`select id, name, email from members
      where name_skeleton is null limit ${sql.lit(sliceSize)}`.execute(db);
    for (const { id, name, email } of rows) {
      const columns = { ...nameColumns(name), ...emailColumns(email) };
      await sql`update members set name_skeleton = ${columns.name_skeleton},
        folded_name_skeleton = ${columns.folded_name_skeleton}, email_skeleton = ${columns.email_skeleton}
        where id = ${id}`.execute(db);
    }
    if (rows.length < sliceSize) return;
  }
}
