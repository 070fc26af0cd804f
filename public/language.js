/** Words that scripts put into a page, in its language: the Swedish and the English side by side. */
export const isEnglish = document.documentElement.lang === 'en';

export const say = (swedish, english) => (isEnglish ? english : swedish);
