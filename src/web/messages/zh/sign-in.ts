import type { Messages } from '../en.ts';

/** Texts of the page in Simplified Chinese: sign in. */
export const signIn: Messages['signIn'] = {
  title: '登录 Cerise',
  text: '请打开 Cerise 启动时在终端里显示的登录链接。',
  used: '该链接已被使用或已过期。每个链接只能登录一个浏览器。',
  again: '找不到链接？重新启动 Cerise 就会显示新的。',
  reload: '我已登录',
};
