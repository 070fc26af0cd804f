/**
 * What `huvudbok start` writes: the lines of all its parts. Whoever collects logs gets JSON, every line; a person at
 * a terminal gets a line they can read.
 */

/** pino's numbers. */
const levels: Readonly<Record<number, string>> = { 40: 'varning', 50: 'fel', 60: 'fel' };
/** What stands elsewhere in a readable line, or helps nobody who reads it as it is written. */
const unshown = new Set([
  'level',
  'time',
  'pid',
  'hostname',
  'part',
  'msg',
  'req',
  'err',
  'request_id',
]);

/** A line of a part. What is no JSON (Node's own last words) becomes the message of one that is. */
export function partLine(part: string, line: string, isTerminal: boolean): string {
  const fields = fieldsOf(line);
  if (!isTerminal)
    return fields ? line : JSON.stringify({ level: 50, time: Date.now(), part, msg: line });
  return fields ? readable(part, fields) : `${part} | ${line}`;
}

/** A sentence of the supervisor's own, for people first of all; whoever collects logs has no use for an empty one. */
export function ownLine(sentence: string, isTerminal: boolean): string | undefined {
  if (isTerminal) return sentence;
  if (sentence === '') return undefined;
  return JSON.stringify({ level: 30, time: Date.now(), part: 'start', msg: sentence });
}

function fieldsOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function readable(part: string, fields: Record<string, unknown>): string {
  const { time, level, msg, req, err } = fields;
  const at = typeof time === 'number' ? new Date(time) : new Date();
  const clock = at.toLocaleTimeString('sv-SE');
  const { method, url } = (req ?? {}) as { method?: string; url?: string };
  const { message, stack } = (err ?? {}) as { message?: string; stack?: string };
  const others = Object.entries(fields)
    .filter(([name]) => !unshown.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const words = [clock, part, levels[Number(level)], msg, method, url, ...others, message];
  const sentence = words.filter((word) => word !== undefined && word !== '').join(' ');
  return stack === undefined ? sentence : `${sentence}\n${stack}`;
}

/**
 * At a terminal every call's line would bury the greeting, with the password in it that is shown once: unless
 * somebody asks for them the parts write what is wrong. Whoever collects logs gets every line.
 */
export const logLevelFor = (
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): { readonly LOG_LEVEL?: string } =>
  isTerminal && !env['LOG_LEVEL'] && !env['LOG_LEVEL_FILE'] ? { LOG_LEVEL: 'warn' } : {};
