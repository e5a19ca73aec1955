import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: sign in. */
export const signIn: Messages['signIn'] = {
  title: '登录 Cerise',
  text: '请打开 Cerise 启动时在终端中显示的登录链接。',
  used: '该链接已被使用或已过期。每个链接只能使用一次，10 分钟内有效。',
  again: '需要新链接？请在运行 Cerise 的机器上执行 {command} sign-in。',
  reload: '重新加载',
  name: '用户名',
  password: '密码',
  submit: '登录',
  wrong: '用户名或密码不正确。',
  slow: '尝试次数过多，请过几分钟再试。',
  oidc: '使用 {name} 登录',
  oidcFailed: '登录未完成，请重试。',
  forgotten: '忘记密码？请联系管理员重置。',
};
