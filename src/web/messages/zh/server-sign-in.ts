import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: server sign in. */
export const serverSignIn: Messages['serverSignIn'] = {
  title: '登录 {name}',
  text: '在下面的页面登录后会返回 Cerise。请在 5 分钟内完成。',
  finding: '正在查找登录页面…',
  leave: '继续',
  imitable: '这个域名含有其他文字的字母，可能在冒充别的域名。',
  signedInAt: '已在 {host} 登录',
  expiredAt: '在 {host} 的登录已过期',
  signOut: '退出登录',
  ownClient: '使用自己的 OAuth 客户端',
  redirectUri: '重定向 URI',
  redirectUriHint: '注册 Cerise 时填写',
  clientId: '客户端 ID',
  clientIdHint: '来自你注册 Cerise 的授权服务器',
  clientSecret: '客户端密钥',
  clientSecretHint: '没有可不填。加密保存，不再显示。',
  useClient: '使用这个客户端',
};
