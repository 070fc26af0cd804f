/** A sentence for the next page: what has just been done, in its language. Kept in a cookie that the page takes away. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieAt } from '../http/headers.ts';
import { isLanguage, type Language } from '../lib/language.ts';
import { cookieOptions } from './person.ts';

const noticeCookie = '__Host-huvudbok-notice';
const noticeMax = 500;

interface LeftNotice {
  readonly text: string;
  readonly language: Language;
}

export function leaveNotice(reply: FastifyReply, text: string, language: Language = 'sv'): void {
  const kept = Buffer.from(text).toString('base64url');
  reply.setCookie(cookieAt(reply.request, noticeCookie), `${kept}.${language}`, cookieOptions);
}

export function takeNotice(request: FastifyRequest, reply: FastifyReply): LeftNotice | null {
  const given = request.cookies[cookieAt(request, noticeCookie)];
  if (given === undefined) return null;
  reply.clearCookie(cookieAt(request, noticeCookie), cookieOptions);
  const [kept = '', language = ''] = given.split('.');
  return {
    text: Buffer.from(kept, 'base64url').toString('utf8').slice(0, noticeMax),
    language: isLanguage(language) ? language : 'sv',
  };
}
