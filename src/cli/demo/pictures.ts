/**
 * Pictures of the demonstration world: layered hills under a sky, different for every seed. Written as PNG (RFC 2083)
 * with nothing but zlib, so that the command line needs no image library.
 */
import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [number, number, number];
const skies: [Colour, ...Colour[]] = [
  [246, 222, 188],
  [196, 220, 232],
  [226, 208, 224],
  [240, 234, 206],
];
const far: Colour = [148, 170, 166];
const near: Colour = [38, 70, 52];
const layers = 5;

/** The same bytes for the same seed. */
export function landscape(seed: number, width = 640, height = 400): Buffer {
  const sky = skies[seed % skies.length] ?? skies[0];
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let x = 0; x < width; x++) {
    const crests = Array.from({ length: layers }, (_, layer) => crest(seed, layer, x / width) * height);
    for (let y = 0; y < height; y++) {
      const layer = crests.findLastIndex((top) => y >= top);
      const colour = layer < 0 ? mix(sky, [255, 252, 244], y / height) : mix(far, near, layer / (layers - 1));
      // Each row begins with its filter, which is none.
      for (const [index, value] of colour.entries()) rows[y * (width * 3 + 1) + 1 + x * 3 + index] = value;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(rows, { level: 4 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crest(seed: number, layer: number, x: number): number {
  const wave = (frequency: number) => Math.sin(x * frequency + seed * 1.7 + layer * 2.3);
  return 0.3 + layer * 0.14 + 0.06 * wave(4 + layer) + 0.03 * wave(11) + 0.008 * wave(37);
}

function mix(from: Colour, to: Colour, share: number): number[] {
  return from.map((value, index) => Math.round(value + ((to[index] ?? value) - value) * share));
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
