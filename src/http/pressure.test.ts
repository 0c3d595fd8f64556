import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createPressure } from './pressure.ts';

/** Pressure with a clock of its own, and the responses that are being made. */
function start(isOn = true) {
  let now = 0;
  let busyMs = 0;
  let refused = 0;
  const pressure = createPressure(
    isOn,
    () => refused++,
    () => now,
    () => busyMs,
  );
  return {
    pressure,
    refused: () => refused,
    pass(ms: number, busyShare: number) {
      now += ms;
      busyMs += ms * busyShare;
    },
    read(ip: string) {
      const response = new EventEmitter();
      pressure.admit(ip, response as never);
      return () => response.emit('close');
    },
  };
}

const busy = expect.objectContaining({ code: 'unavailable', details: { retryAfter: 5 } });
const from = (n: number) => `10.${n}.0.1`;

test('strangers from many networks have 64 reads at once, and another as soon as one has ended', () => {
  const { read, pressure, refused } = start();
  const ends = Array.from({ length: 64 }, (_, n) => read(from(n)));
  expect(pressure.isHigh()).toBe(true);
  expect(() => read(from(99))).toThrow(busy);
  expect(refused()).toBe(1);
  ends[0]?.();
  expect(pressure.isHigh()).toBe(false);
  read(from(99));
  expect(() => read(from(98))).toThrow(busy);
});

test.each([
  ['a /24', (n: number) => `203.0.113.${n}`, '203.0.114.1'],
  ['a /48', (n: number) => `2001:db8:7:${n}::1`, '2001:db8:8::1'],
])('%s has half of them, whatever number of addresses it has', (_what, address, other) => {
  const { read } = start();
  const ends = Array.from({ length: 32 }, (_, n) => read(address(n)));
  expect(() => read(address(33))).toThrow(busy);
  read(other);
  ends[0]?.();
  read(address(33));
});

test('each window without rest halves the reads of the next, down to a few, and rest lifts the limit', () => {
  const { read, pass } = start();
  const admitted = () => {
    for (let n = 0; ; n++) {
      if (n === 40) return n;
      try {
        read(from(n))();
      } catch {
        return n;
      }
    }
  };
  expect(admitted()).toBe(40);
  const counts = Array.from({ length: 5 }, () => {
    pass(200, 1);
    return admitted();
  });
  expect(counts).toEqual([20, 10, 5, 4, 4]);
  const later = Array.from({ length: 4 }, () => {
    pass(200, 0.5);
    return admitted();
  });
  expect(later).toEqual([8, 16, 32, 40]);
});

test('people from few networks do not count as a crowd, however busy they keep the process', () => {
  const { read, pass, refused } = start();
  for (let n = 0; n < 300; n++) {
    read(from(n % 15))();
    pass(10, 1);
  }
  expect(refused()).toBe(0);
});

test('a few slow reads do not count as a crowd', () => {
  const { read, pass } = start();
  for (let n = 0; n < 20; n++) {
    read(from(1))();
    pass(500, 1);
  }
});

test('without limits nothing is refused', () => {
  const { read } = start(false);
  for (let n = 0; n < 200; n++) read('203.0.113.7');
});
