/** Sentences of the host in Simplified Chinese, by their ids: programs that are connected by signing in. */
export const zhGrants: Record<string, string> = {
  'body-form': '请求正文必须是 application/x-www-form-urlencoded。',
  'consent-by-key': '只有已登录的用户才能连接程序。',
  'grant-gone': '该程序未连接。',
  'program-document': '{0} 上的程序元数据缺失或无效。',
  'program-document-hint': '请联系程序的开发者。',
  'program-pkce': '该程序没有用 PKCE（S256）保护登录。',
  'program-redirect': '该程序要求返回到一个未注册的 URL。',
  'program-resource': '该程序请求访问的不是这个服务器。',
  'program-response-type': '该程序请求了不支持的访问方式。',
  'program-unknown': '该程序未在此注册，或其注册已过期。',
  'program-unknown-hint': '请在程序中移除 Cerise，然后重新添加。',
  'token-elsewhere': '此令牌仅对 {0} 有效。',
  'token-elsewhere-hint': '请在“设置 → 账户”中创建 API 密钥。',
};
