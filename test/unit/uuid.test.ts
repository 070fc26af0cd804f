import { expect, test } from 'vitest';
import { uuid } from '#src/lib/uuid.ts';

test('ids are version 7, never alike, and carry the time they were made', () => {
  const before = Date.now();
  const ids = Array.from({ length: 10_000 }, uuid);
  const after = Date.now();
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    expect(time >= before && time <= after).toBe(true);
  }
});
