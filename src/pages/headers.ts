/** What every page tells the browser: run and load nothing but ours, and stay out of frames. */
import type { FastifyReply } from 'fastify';
import { fileDisposition } from '../http/headers.ts';

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

/** Beside what every answer has (`http/headers.ts`). */
export function secureHeaders(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'same-origin',
    // What people see here is theirs alone, files too, and another the next time.
    'cache-control': 'private, no-store',
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

/**
 * The same of a PDF that shows itself: a browser draws it with a program of its own, which Chrome and Safari do not
 * begin in a sandbox or without styles and scripts of its own. It is never taken for a page, whatever is in it
 * (nosniff), so nothing in it reaches ours.
 */
export const foreignPdf = {
  ...foreignContent,
  'content-security-policy': "frame-ancestors 'self'",
} as const;

/** What somebody else made, as a file to save. */
export function downloadOf(fileName: string): Readonly<Record<string, string>> {
  return { ...foreignContent, 'content-disposition': fileDisposition('attachment', fileName) };
}
