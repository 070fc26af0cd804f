/** What a key is good for at the moment it was read. */
export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

/** From here on people are told that a key is about to end. */
const noticeMs = 14 * 86_400_000;

export function keyState(key: {
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly as_of: Date;
}): KeyState {
  if (key.revoked_at) return 'revoked';
  if (!key.expires_at) return 'active';
  const left = key.expires_at.getTime() - key.as_of.getTime();
  if (left <= 0) return 'expired';
  return left <= noticeMs ? 'expiring' : 'active';
}
