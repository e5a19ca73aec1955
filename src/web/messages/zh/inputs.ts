import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: inputs. */
export const inputs: Messages['inputs'] = {
  asks: {
    form: '<server></server> 需要你提供信息',
    url: '<server></server> 请你打开一个网页',
    sampling: '<server></server> 想使用模型',
  },
  send: '发送',
  sentAs: '将发送的数据',
  decline: '拒绝',
  cancel: '暂不处理',
  cancelHint: '告知服务器你没有回答',
  expires: '若不回答，将在 {time} 过期。',
  settled: '这个请求已关闭：已在别处回答，或已过期。',
  secret:
    '这看起来是在索要密码、密钥或银行卡号。服务器不得在这里索要这些信息。除非你确定，否则请拒绝。',
  address: 'URL',
  open: '打开 {host}',
  notOpenable: '这不是网页 URL，无法打开。',
  warnings: {
    imitation: '域名 {host} 含有其他文字的字母，可能在冒充别的域名。',
    user: '“@”之前的部分不是网站。这个 URL 实际打开 {host}。',
    plain: '与这个网页之间的连接未加密。',
    number: '这个 URL 使用 IP 地址而不是域名。',
  },
  wouldSend: '发送给模型的请求',
  roles: { system: '系统', user: '用户', assistant: '助手', stop: '停止序列' },
  tokens: '最多输出 {count} 个 Token。',
  temperature: '温度 {value, number}。',
  media: { image: '图片（{type}，{size}）', audio: '音频（{type}，{size}）' },
  model: '模型',
  allow: '批准',
  deny: '拒绝',
  inbox: '等待你处理',
  nothing: '没有待处理的事项。',
  inChat: '在对话“{title}”中',
  review: '查看',
  bell: '{count, plural, =0 {没有待处理的事项} other {# 项等待你处理}}',
  announce: '有 {count} 项等待你处理。按 F8 前往。',
};
