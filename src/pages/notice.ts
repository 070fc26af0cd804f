/** A sentence for the next page: what has just been done. Kept in a cookie that the page takes away. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOptions } from './person.ts';

const noticeCookie = '__Host-huvudbok-notice';
const noticeMax = 500;

export function leaveNotice(reply: FastifyReply, notice: string): void {
  reply.setCookie(noticeCookie, Buffer.from(notice).toString('base64url'), cookieOptions);
}

export function takeNotice(request: FastifyRequest, reply: FastifyReply): string | null {
  const given = request.cookies[noticeCookie];
  if (given === undefined) return null;
  reply.clearCookie(noticeCookie, cookieOptions);
  return Buffer.from(given, 'base64url').toString('utf8').slice(0, noticeMax);
}
