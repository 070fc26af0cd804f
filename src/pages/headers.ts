/** What every page tells the browser: run and load nothing but ours, and stay out of frames. */
import type { FastifyReply } from 'fastify';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function secureHeaders(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': contentSecurityPolicy,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  });
}

/**
 * What somebody else made and we hand on (an attachment, an e-invoice): it may show itself in a frame of
 * ours, and run and load nothing.
 */
export const foreignContent = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
} as const;

/** What somebody else made, as a file to save: its name in ASCII for old browsers, and whole (RFC 8187). */
export function downloadOf(fileName: string): Readonly<Record<string, string>> {
  const ascii = fileName.replace(/[^\w.() -]/g, '_');
  const whole = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    ...foreignContent,
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`,
  };
}
