import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: server sign in. */
export const serverSignIn: Messages['serverSignIn'] = {
  title: '登录 {name}',
  text: '浏览器将离开 Cerise，前往下面的页面；登录后会自动返回。请在 5 分钟内完成。',
  finding: '正在询问服务器在哪里登录…',
  leave: '前往',
  imitable: '请注意：这个域名含有可能冒充其他域名的外文字母。',
  signedInAt: '已在 {host} 登录',
  expiredAt: '在 {host} 的登录已失效',
  signOut: '退出登录',
  ownClient: '使用手动注册的客户端',
  clientId: '客户端 ID',
  clientIdHint: '在授权服务器上注册 Cerise 时得到',
  clientSecret: '客户端密钥',
  clientSecretHint: '有密钥时才填写；加密保存，不再显示',
  useClient: '使用这个客户端',
};
