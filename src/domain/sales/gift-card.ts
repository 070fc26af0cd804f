/** Gift cards of several uses: sold they are a debt, and redeemed a means of payment. */

/** As means of payment are named, by orders and tills. */
export const giftCardMethod = 'gift_card';

/** Gift cards that are not redeemed (BAS). */
export const giftCardAccount = 2421;

/** An account of more than four digits is part of the BAS account that it begins with. */
export const isGiftCardAccount = (account: number): boolean =>
  String(account).startsWith(String(giftCardAccount));
