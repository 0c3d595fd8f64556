import { expect, test } from 'vitest';
import { statedInRestrictions } from './restrictions.ts';

test.each(['', 'edit=:move=', 'edit=autoconfirmed', 'edit=user:move='])(
  '“%s” restricts nothing here',
  (text) => {
    expect(statedInRestrictions(text)).toBeUndefined();
  },
);

test.each(['edit=sysop:move=sysop', 'sysop', 'move=autoconfirmed:edit=sysop'])('“%s” protects', (text) => {
  expect(statedInRestrictions(text)).toMatchObject({ access: { protection: { level: 'administrators' } } });
});

test.each([
  'read=sysop',
  'edit=gardeners',
  'view=user:edit=sysop',
  '{"permissions"',
  '{}',
  '{"permissions":"x"}',
])('“%s” cannot be understood', (text) => expect(statedInRestrictions(text)).toHaveProperty('restriction'));
