/**
 * Pictures for the demo wiki: layered hills under a sky, different for each seed, and a map of the valley. Hills are written as
 * PNG (RFC 2083) with zlib only, so that the command line needs no image library.
 */
import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [number, number, number];
const lit = ['sky', 'horizon', 'far', 'near', 'sun'] as const;
type Light = Record<(typeof lit)[number], Colour>;

const lights: [Light, ...Light[]] = [
  light('f2c894 fdf3dc 9db3a6 20402f fff6d8'),
  light('a9cfe4 f4f6ea 98b5ae 2a5238 ffffff'),
  light('c9b4d6 f9e3d2 a39db0 2c3346 ffe9c4'),
  light('dfe6ea fbfbf8 c3cfd4 5a6f74 ffffff'),
  light('f0b36a fbe6bd c29a63 5b3620 fff0c0'),
  light('2b3a5c 7d8bb0 44527a 131a2c f6f1d5'),
];
const layers = 5;

/** Deterministic for a seed. Odd seeds have water in the foreground. */
export function landscape(seed: number, width = 640, height = 400): Buffer {
  const { sky, horizon, far, near, sun } = lights[seed % lights.length] ?? lights[0];
  const shore = seed % 2 === 1 ? 0.78 * height : height;
  const [sunX, sunY, sunRadius] = [
    width * (0.2 + 0.6 * random(seed)),
    height * (0.14 + 0.12 * random(seed + 9)),
    18 + (seed % 3) * 5,
  ];
  const skies = Array.from({ length: height }, (_, y) => mix(sky, horizon, Math.min(1, y / (height * 0.55))));
  const hills = Array.from({ length: layers }, (_, layer) => mix(far, near, layer / (layers - 1)));
  const [mirroredSkies, mirroredHills] = [skies, hills].map((all) =>
    all.map((colour) => mix(colour, horizon, 0.28)),
  );
  const stride = width * 3 + 1;
  // Each row begins with its filter type, none.
  const rows = Buffer.alloc(height * stride);
  for (let x = 0; x < width; x++) {
    const crests = Array.from({ length: layers }, (_, layer) => crest(seed, layer, x / width) * height);
    for (let y = 0; y < height; y++) {
      const isWater = y >= shore;
      // Water reflects what is above it, compressed and rippled.
      const seen = isWater ? shore - (y - shore) * 2.2 - 3 * Math.sin(y * 0.9 + x * 0.02) : y;
      let layer = layers - 1;
      while (layer >= 0 && seen < (crests[layer] ?? 0)) layer--;
      const isSun = layer < 0 && Math.hypot(x - sunX, seen - sunY) < sunRadius;
      const colour = isSun
        ? sun
        : layer < 0
          ? (isWater ? mirroredSkies : skies)?.[Math.max(0, Math.floor(seen))]
          : (isWater ? mirroredHills : hills)?.[layer];
      rows.set(colour ?? sky, y * stride + 1 + x * 3);
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

/** Height of a ridge, 0 at the upper edge and 1 at the lower; the nearest two have firs. */
function crest(seed: number, layer: number, x: number): number {
  const wave = (frequency: number) => Math.sin(x * frequency + seed * 1.7 + layer * 2.3);
  const hill = 0.34 + layer * 0.12 + 0.06 * wave(4 + layer) + 0.03 * wave(11) + 0.006 * wave(37);
  if (layer < layers - 2) return hill;
  const step = layer === layers - 1 ? 0.045 : 0.024;
  const tree = Math.floor(x / step);
  const size = random(seed * 31 + layer * 7 + tree);
  const fromMiddle = Math.abs(x / step - tree - 0.5) * 2;
  return size < 0.35 ? hill : hill - step * 1.9 * size * Math.max(0, 1 - fromMiddle * 1.6);
}

/** `at`: latitude and longitude. The river runs through the places in order. */
export function sketch(places: { title: string; at: [number, number]; isLarge: boolean }[]): Buffer {
  const onPaper = ([lat, lon]: [number, number]): [number, number] => [
    Math.round((lon - 12.4) * 125),
    Math.round((63.6 - lat) * 340),
  ];
  // Curves around each point, between the midpoints of adjacent segments.
  const points = places.map(({ at }) => onPaper(at));
  const line = points.map(([x, y], index) => {
    const [nextX, nextY] = points[index + 1] ?? [x, y];
    return index === 0 ? `M${x} ${y}` : `Q${x} ${y} ${(x + nextX) / 2} ${(y + nextY) / 2}`;
  });
  const marks = places.map(({ title, at, isLarge }, index) => {
    const [x, y] = onPaper(at);
    const size = isLarge ? 26 : 21;
    return `<circle cx="${x}" cy="${y}" r="${isLarge ? 7 : 5}" fill="#a3362a"/><text x="${x}" y="${y}" dy="${index % 2 === 0 ? -14 : 30}" text-anchor="middle" font-size="${size}">${title}</text>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="380" viewBox="0 0 760 380" font-family="Georgia, serif" fill="#3d3426"><rect width="760" height="380"
fill="#f6efdc"/><path d="M760 120 Q640 250 700 380 H760 Z" fill="#cfe0dd"/><path d="${line.join(' ')}" fill="none" stroke="#7fa8a8" stroke-width="5"
stroke-linecap="round"/>${marks.join('')}<text x="24" y="352" font-size="26" font-style="italic">Alder Valley</text></svg>`,
  );
}

function random(seed: number): number {
  const wild = Math.sin(seed * 127.1 + 11.7) * 43758.5453;
  return wild - Math.floor(wild);
}

/** `colours`: one for each part of the picture, in the order of `lit`. */
function light(colours: string): Light {
  const all = colours.split(' ').map(rgb);
  return Object.fromEntries(lit.map((part, index) => [part, all[index]])) as Light;
}

function rgb(hexadecimal: string): Colour {
  const [red = 0, green = 0, blue = 0] = Buffer.from(hexadecimal, 'hex');
  return [red, green, blue];
}

function mix(from: Colour, to: Colour, share: number): Colour {
  const at = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [at(0), at(1), at(2)];
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
