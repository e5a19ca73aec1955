import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: inputs. */
export const inputs: Messages['inputs'] = {
  asks: {
    form: '<server></server> 想问你',
    url: '<server></server> 请你访问一个网页',
    sampling: '<server></server> 想向模型提问',
  },
  send: '发送',
  sentAs: '实际发送的内容',
  decline: '拒绝回答',
  cancel: '暂不处理',
  cancelHint: '服务器只会得知无人回答。',
  expires: '若无人回答，将在 {time} 取消。',
  settled: '这个问题已经关闭：已在别处回答，或已超时。',
  secret:
    '这看起来是在索要密码、密钥或银行卡。服务器不应在这里索要这些信息：除非你确定，否则请拒绝。',
  address: '网址',
  open: '打开 {host}',
  notOpenable: '这不是网页地址，不会打开。',
  warnings: {
    imitation: '域名 {host} 含有其他文字的字母，可能在冒充别的域名。',
    user: '网址开头“@”之前是一个名字。它实际指向 {host}。',
    plain: '与这个网页之间的连接未加密。',
    number: '网址是数字而不是域名。',
  },
  wouldSend: '将发送给模型的内容',
  roles: { system: '系统', user: '用户', assistant: '助手', stop: '停止序列' },
  tokens: '最多返回 {count} 个词元。',
  temperature: '温度 {value, number}。',
  media: { image: '图片（{type}，{size}）', audio: '音频（{type}，{size}）' },
  model: '模型',
  allow: '允许提问',
  deny: '拒绝',
  inbox: '等待你处理',
  nothing: '没有等待处理的事项。',
  inChat: '在对话“{title}”中',
  bell: '{count, plural, =0 {没有等待处理的事项} other {# 项等待你处理}}',
  announce: '有 {count} 项等待你处理。按 F8 前往。',
};
