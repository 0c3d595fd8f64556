import { expect, test } from 'vitest';
import { addressGroup, networkOf } from './address-group.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:0:0:ffff::9', '2001:db8:0:0::/64'],
  ['2001:0db8:0000:0000:1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['2001:DB8:0:1::5', '2001:db8:0:1::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
])('%s counts for %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

test('a request whose client is gone has no address', () => {
  expect([addressGroup(undefined as never), networkOf(undefined as never)]).toEqual(['', '']);
});

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2::1', '2001:db8:1::/48'],
  ['2001:DB8:1:ffff:0:0:0:1', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
])('%s is in the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
