/** Amounts as people type and read them. */

/** Kronor as typed, in öre; 0 when it is no number (the server says so). */
export function oreOf(text) {
  const plain = text.replace(/[\s\u00a0\u202f]|kr$/g, '');
  const match = /^([-−–]?)(\d{1,13})(?:[.,](\d{1,2}))?$/.exec(plain);
  if (!match) return 0n;
  const ore = BigInt(match[2] + (match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -ore : ore;
}

export function textOf(ore) {
  const digits = String(ore < 0n ? -ore : ore).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '\u00a0');
  return `${ore < 0n ? '−' : ''}${whole},${digits.slice(-2)}`;
}
