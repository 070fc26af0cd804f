import { describe, expect, test } from 'vitest';
import { logLevelFor, ownLine, partLine } from '#src/process/log-lines.ts';

const call = JSON.stringify({
  level: 30,
  time: Date.UTC(2026, 10, 22, 8),
  part: 'http',
  request_id: 'a',
  req: { method: 'GET', url: '/readyz' },
  status: 200,
  ms: 4,
  msg: 'call',
});

describe('whoever collects the log', () => {
  test('gets every line as JSON that says whose it is', () => {
    expect(partLine('http', call, false)).toBe(call);
    for (const words of ['Segmentation fault', '{"half', '{}x']) {
      expect(JSON.parse(partLine('intake', words, false))).toMatchObject({
        part: 'intake',
        level: 50,
        msg: words,
      });
    }
    expect(JSON.parse(ownLine('Databasen "a" förs till schema 54.', false) ?? '')).toMatchObject({
      part: 'start',
      msg: 'Databasen "a" förs till schema 54.',
    });
    expect(ownLine('', false)).toBeUndefined();
  });
});

describe('whoever sits at the terminal', () => {
  test('reads a line, and where a fault came from', () => {
    expect(partLine('http', call, true)).toMatch(
      /^\d\d:\d\d:\d\d http call GET \/readyz status=200 ms=4$/,
    );
    const err = { type: 'Error', message: 'disken är full', stack: '    at write (a.ts:1)' };
    const fault = partLine('mail', JSON.stringify({ level: 50, msg: 'job failed', err }), true);
    expect(fault).toContain('mail fel job failed disken är full\n    at write');
    expect(partLine('mail', 'Segmentation fault', true)).toBe('mail | Segmentation fault');
    expect(ownLine('  Stoppa           Ctrl-C', true)).toBe('  Stoppa           Ctrl-C');
  });

  test('is not shown every call, unless asked for: the password of the example company stays in sight', () => {
    expect(logLevelFor(true, {})).toEqual({ LOG_LEVEL: 'warn' });
    expect(logLevelFor(true, { LOG_LEVEL: '' })).toEqual({ LOG_LEVEL: 'warn' });
    expect(logLevelFor(true, { LOG_LEVEL: 'info' })).toEqual({});
    expect(logLevelFor(true, { LOG_LEVEL_FILE: '/x' })).toEqual({});
    expect(logLevelFor(false, {})).toEqual({});
  });
});
