/**
 * Fingerprint of a text: its hash, and a sketch of its lines by which an edited text is told from another one. The sketch holds
 * the smallest hashes of lines, so that texts that share many lines share some of them.
 */
import { hashOf } from './note.ts';

const hashLength = 32;
const sketched = { lines: 8, digits: 6 };
/** Share of the sketch that similar texts have in common. */
const similar = 1 / 3;

export function fingerprintOf(text: string): string {
  // Documents of one name have the same heading and front matter, whatever they say.
  const own = text
    .replace(/^---\r?\n.*?\n---(?:\r?\n|$)/s, '')
    .split('\n')
    .map((line) => line.trim());
  const lines = new Set(own.filter((line) => line !== '' && !line.startsWith('#')));
  const hashes = [...lines].map((line) => hashOf(line).slice(0, sketched.digits)).sort();
  return [hashOf(text).slice(0, hashLength), ...hashes.slice(0, sketched.lines)].join(' ');
}

/** Sketch of a text's lines without front matter and headings; undefined if there are none. */
export function ownLines(fingerprint: string | undefined): string | undefined {
  return fingerprint?.split(' ').slice(1).join(' ') || undefined;
}

/** Other fingerprints than those of texts are the same or different. */
export function compareFingerprints(one: string, other: string): 'same' | 'similar' | 'different' {
  const [hash, ...lines] = one.split(' ');
  const [otherHash, ...others] = other.split(' ');
  if (hash === otherHash) return 'same';
  const common = lines.filter((line) => others.includes(line)).length;
  return common > 0 && common >= similar * Math.max(lines.length, others.length) ? 'similar' : 'different';
}
