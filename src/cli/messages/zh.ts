/** What the command line itself says, in Simplified Chinese, by the ids of its sentences. */
export const zhCli: Record<string, string> = {
  'cli-unknown-command': '未知命令：“{0}”。查看所有命令：cerise help',
  'cli-no-options': '{0} 没有选项，但给出了“{1}”。',
  'cli-no-options-hint': '设置通过环境变量提供，查看：cerise help',
  'cli-help': `cerise：自托管的 MCP 主机

  cerise serve                 启动网页和 API（CERISE_HOST、CERISE_PORT）
  cerise chat "问题"           提问并在终端显示回答
      --model 服务商/模型      使用这个模型
      --topic ID               继续这个对话
      --yes                    批准所有工具调用
      --no-tools               不使用工具
  cerise sign-in               生成一个链接，让浏览器登录正在运行的 Cerise
  cerise mcp COMMAND           管理 MCP 服务器：list、add、approve、tools、call、doctor……
  cerise backup FILE           把所有数据备份到一个新文件，运行中也可以（SQLite）
      --without-key            不包含加密机密的密钥
  cerise restore FILE          把备份恢复到数据文件夹
      --replace                替换现有数据，并保留在旁边的文件夹中
  cerise secrets rotate        用新密钥重新加密机密（需先停止 Cerise）
  cerise --version             显示版本

设置：CERISE_HOME、CERISE_HOST、CERISE_PORT、CERISE_DATABASE_URL、CERISE_TOKEN、CERISE_SECRET_KEY、
  CERISE_ALLOWED_HOSTS、CERISE_PUBLIC_URL、CERISE_SIGN_IN_LINK、CERISE_FETCH_ALLOW、CERISE_LOG_LEVEL、
  CERISE_DEMO_PACE、CERISE_LANG（en 或 zh）
`,
  'cli-no-longer-asked': '这个请求已关闭。',
  'cli-use-a-model': '使用模型',
  'cli-declined': '已拒绝，因为这不是交互式终端。{0} 的请求：{1}',
  'cli-open-it': '请在浏览器中打开它。',
  'cli-backed-up': '已把数据库备份到 {0}（文件数：{1}，大小：{2} KiB）。',
  'cli-backup-key': '备份中包含机密的密钥，请妥善保管。',
  'cli-backup-no-key': '备份中不包含机密的密钥。请同时保存密钥，否则备份无法使用。',
  'cli-backup-lacks': '数据文件夹中缺少以下文件，备份中也没有：{0}',
  'cli-restored': '已恢复 {0} 的备份（Cerise {1}，文件数：{2}）。',
  'cli-restore-kept': '原来的数据在 {0}',
  'cli-restore-no-key': '备份中没有密钥，将使用这台机器上的密钥。',
  'cli-one-file': '请指定一个文件：cerise {0} FILE',
  'cli-no-question': '请输入问题：cerise chat "问题"',
  'cli-stream-ended': '回答完成之前连接已关闭。',
  'cli-unknown-option': '未知选项：{0}。',
  'cli-option-value': '选项 {0} 的值无效。',
  'cli-secrets-usage': '用法：cerise secrets rotate',
  'cli-rotated-before': '存储的机密已经在使用新密钥。',
  'cli-rotated': '已用新密钥重新加密存储的机密（记录数：{0}）。',
  'cli-rotated-setting': '今后请把 CERISE_SECRET_KEY 设为新密钥。旧备份仍需要旧密钥。',
  'cli-rotated-file': '新密钥在 {0}/secret.key。旧备份仍需要旧密钥。',
  'cli-rotated-unset':
    '新密钥在 {0}/secret.key。今后启动 Cerise 时请不要设置 CERISE_SECRET_KEY。旧备份仍需要旧密钥。',
  'cli-ending': '正在关闭。运行中的回答有 25 秒时间完成；再次发送信号可立即停止。',
  'cli-ready': 'Cerise 已就绪：{0}',
  'cli-to-sign-in': '要登录，请运行：{0} sign-in',
  'cli-not-running': '没有使用数据文件夹 {0} 的 Cerise 在运行。',
  'cli-not-running-hint':
    '要启动它，请运行：cerise serve。如果它使用其他文件夹，请设置 CERISE_HOME。',
  'cli-link': '打开此链接即可登录。链接只能使用一次，10 分钟内有效：',
  'cli-server-exists': '已经有名为 {0} 的服务器。',
  'cli-added': '已添加 {0}。要检查它是否正常，请运行：{1} mcp doctor {2}',
  'cli-added-draft': '已添加 {0}。运行前需要批准：{1} mcp approve {2}',
  'cli-url-or-command': '请使用 --url URL 或 -- COMMAND 之一。',
  'cli-approved': '已批准。{0} 的状态：{1}',
  'cli-would-run': '{0} 将以你的权限运行：',
  'cli-not-approved': '未批准，因为这不是交互式终端。可用 --yes 批准。',
  'cli-approve-command': '允许运行这个命令吗？[y] 是，[N] 否：',
  'cli-call-failed': '调用失败。',
  'cli-similar': '相近的有：{0}。',
  'cli-no-tools': '它没有任何工具。',
  'cli-arguments-json': '参数必须是有效的 JSON。',
  'cli-note': '注意：{0}',
  'cli-other-sign-in': '这个响应不属于当前的登录。',
  'cli-other-sign-in-hint': '请在当前登录的窗口中继续，或重新开始。',
  'cli-address': 'URL',
  'cli-header': '请求头',
  'cli-command': '命令',
  'cli-argument': '参数',
  'cli-variable': '变量',
  'cli-folder': '目录',
  'cli-registry': '软件源',
  'cli-files': '文件',
  'cli-network': '网络',
  'cli-sandbox': '沙箱',
  'cli-sandbox-works': '已强制执行',
  'cli-files-how': '请使用 --files own、--files everything，或用 --read 和 --write 指定文件夹。',
  'cli-hidden': '{0}（值已隐藏）',
  'cli-built-in': '内置',
  'cli-for-time': '已持续 {0}',
  'cli-what-to-do': '下一步：',
  'cli-reason': '原因',
  'cli-retry-in': '重试等待',
  'cli-transport': '传输方式',
  'cli-transport-used': '{0}，但它通过 {1} 响应',
  'cli-protocol': '协议',
  'cli-server': '服务器',
  'cli-offers': '能力',
  'cli-nothing': '无',
  'cli-sign-in': '登录',
  'cli-unasked': '批准',
  'cli-late': '迟到',
  'cli-late-answers': '超时后到达的响应：{0}',
  'cli-auto-all': '所有工具无需批准即可运行（autoApprove）',
  'cli-auto-some': '{0} 无需批准即可运行（autoApprove）',
  'cli-trusted': '信任它的工具标签，只读工具无需批准即可运行',
  'cli-rules': '你的规则允许调用（{0} 条，见 设置 → 工具权限）',
  'cli-retried': '中断后自动重试：{0}',
  'cli-asks-first': '每次调用都需要批准',
  'cli-probes': '连接尝试',
  'cli-cached': '缓存',
  'cli-old': '{0}，{1} 前',
  'cli-last-errors': '最近的错误',
  'cli-processes': '进程',
  'cli-cannot-read': '无法读取 {0}。',
  'cli-import-hint': '请使用文件、安装链接，或用 - 表示标准输入。',
  'cli-value-needed': '需要填写：{0}{1}',
  'cli-not-added': '未添加。{0}',
  'cli-exists': '已经存在。',
  'cli-would-add': '将会添加。',
  'cli-added-off': '已添加，但已停用。要使用它，请运行：{0} mcp {1} {2}',
  'cli-unknown-mcp': '未知命令：“mcp {0}”。',
  'cli-unknown-mcp-hint': '你是指 {0} 吗？查看所有命令：cerise mcp help',
  'cli-mcp-help': `cerise mcp：管理 MCP 服务器并使用它们的功能

  cerise mcp list                              列出所有服务器及其状态
  cerise mcp add NAME -- COMMAND ARGS…         添加运行命令的服务器
      --env KEY=VALUE  --env KEY               设置变量；不写值则使用你的环境变量
      --cwd FOLDER                             设置工作目录
      --files own | everything  --no-network   限制它能访问的范围
      --read FOLDER  --write FOLDER            只允许访问这些文件夹和它自己的文件夹
  cerise mcp add NAME --url URL                添加通过 HTTP 访问的服务器
      --header KEY=VALUE  --type sse
  cerise mcp import FILE                       从其他程序的设置或安装链接导入服务器；
                                               用 - 表示标准输入
      --dry-run  --answer ID=VALUE             只显示不导入；填写它们要求的值
  cerise mcp export                            以 JSON 输出你的服务器，不含机密
      --format cerise | claude | vscode
  cerise mcp approve NAME                      查看并批准服务器的命令
  cerise mcp enable NAME    disable NAME    restart NAME    stop NAME    remove NAME
  cerise mcp sign-in NAME                      在浏览器中登录受保护的服务器
      --headless                               使用别处的浏览器，并粘贴最后的地址
      --client-id ID --client-secret-file FILE 使用手动注册的客户端
  cerise mcp sign-out NAME                     撤销并删除它的令牌
  cerise mcp tools NAME                        列出它的工具
  cerise mcp call NAME TOOL [JSON]             调用工具
      --arg KEY=VALUE  --yes                   逐个传入参数；不询问直接运行
  cerise mcp prompts NAME [PROMPT]             列出它的提示词，或填写其中一个
      --arg KEY=VALUE
  cerise mcp resources NAME                    列出它的资源和模板
  cerise mcp read NAME URI                     读取资源
  cerise mcp logs NAME                         显示它最近的日志
  cerise mcp doctor [NAME]                     连接并说明哪些正常、哪些不正常

  --json 输出 API 的响应。NAME 也可以是 ID。
`,
  'cli-too-few': '缺少参数。',
  'cli-too-many': '参数过多。',
  'cli-usage': '用法：cerise mcp {0}',
  'cli-key-value': '“{0}”应为 KEY=VALUE。',
  'cli-paste': 'URL：',
  'cli-paste-again': '这个 URL 不属于这次登录。请粘贴完整的 URL。',
  'cli-paste-none': '输入结束时没有得到登录 URL。',
  'cli-paste-none-hint': '请通过标准输入提供浏览器最后跳转到的 URL。',
  'cli-none': '无',
  'cli-connected': '已连接',
  'cli-failed': '失败',
  'cli-needs-auth': '需要登录',
  'cli-draft': '需要批准',
  'cli-reconnecting': '重新连接中',
  'cli-connecting': '连接中',
  'cli-idle': '按需连接',
  'cli-disabled': '已停用',
  'cli-head-name': '名称',
  'cli-head-state': '状态',
  'cli-head-type': '类型',
  'cli-head-target': '目标',
  'cli-head-reason': '原因',
  'cli-head-transport': '传输方式',
  'cli-head-protocol': '协议',
  'cli-head-next': '下一步',
  'cli-head-tool': '工具',
  'cli-head-enabled': '启用',
  'cli-head-description': '说明',
  'cli-head-prompt': '提示词',
  'cli-head-arguments': '参数',
  'cli-head-uri': 'URI',
  'cli-seconds': '{0} 秒',
  'cli-minutes': '{0} 分钟',
  'cli-hours': '{0} 小时',
  'cli-assistant': '助手',
  'cli-user': '用户',
  'cli-binary': '[{0}：{1}，{2}；用 --json 可得到 Base64]',
  'cli-removed': '已移除 {0}。',
  'cli-signed-in': '已登录 {0}。',
  'cli-sign-in-at': '在 {1} 登录 {0}：',
  'cli-sign-in-end': '按 Ctrl-C 取消；5 分钟后自动过期。',
  'cli-sign-in-opened': '请在浏览器中继续。',
  'cli-sign-in-open': '请在这台机器的浏览器中打开这个 URL。',
  'cli-sign-in-paste':
    '请在任意浏览器中打开这个 URL 并登录。浏览器会跳转到以 {0} 开头的 URL，页面可能打不开。请把完整的 URL 粘贴到这里。',
  'cli-sign-in-address': '登录 URL 不是网页 URL。',
  'cli-sign-in-late': '登录未在 5 分钟内完成。',
  'cli-sign-in-again': '请重新开始登录。',
  'cli-signed-out': '已退出 {0}，它的令牌已撤销并删除。',
  'cli-yes': '是',
  'cli-no': '否',
  'cli-openai': 'OpenAI 及兼容',
  'cli-left-out': '{0} 未提供给 {1} 模型：{2}',
  'cli-several-servers': '有多个名为 {0} 的服务器。',
  'cli-use-id': '请改用 ID：{0}。',
  'cli-no-server-hint': '相近的有：{0}。查看所有服务器：cerise mcp list',
  'cli-token-short': '它少于 {0} 个字符',
  'cli-token-spaces': '它含有空格',
  'cli-token-words': '它含有单词、重复内容或字符种类过少',
  'cli-limit-bytes': '请写字节数，或带 KiB、MiB、GiB 的数字，例如 2MiB。',
  'cli-limit-time': '请写毫秒数，或带 s、min、h、d 的数字，例如 30s。',
  'cli-limit-count': '请写整数。',
  'cli-limits-json': 'CERISE_LIMITS：无法将 {0} 读取为 JSON。',
  'cli-limits-json-hint': '请使用 {"httpBody": "2MiB"} 这样的 JSON 文件。',
  'cli-limits-object': 'CERISE_LIMITS：{0} 不是 JSON 对象。',
  'cli-limit-invalid': '{0} 不是有效的限制：{1}。',
  'cli-limit-range': '{0} 超出范围：{1}。',
  'cli-limit-range-hint': '请使用 {0} 到 {1} 之间的值。',
  'cli-limit-unknown': '{0} 不是限制的名称。',
  'cli-limit-unknown-hint': '你是指 {0} 吗？完整列表见 docs/operating.md。',
  'cli-host-open': 'CERISE_HOST={0} 会在没有令牌的情况下把 Cerise 暴露到网络。',
  'cli-host-open-hint': '请同时设置 CERISE_TOKEN，或让 CERISE_HOST 保持 127.0.0.1。',
  'cli-token-weak': 'CERISE_TOKEN 太容易被猜到，而他人可以访问此主机：{0}。',
  'cli-token-weak-hint': '请生成随机令牌：openssl rand -base64 24',
  'cli-port': 'CERISE_PORT={0} 不是有效的端口。',
  'cli-port-hint': '请使用 0（任意空闲端口）到 65535 的数字。',
  'cli-server-variable': 'CERISE_SERVER_VARIABLES 不能包含 {0}。',
  'cli-server-variable-hint':
    '请列出环境变量的名称，用逗号分隔。Cerise 自己的设置不会提供给服务器。',
  'cli-public-url': 'CERISE_PUBLIC_URL={0} 不是 https 地址。',
  'cli-public-url-hint': '格式为 https://name 或 https://name:port，不带路径。',
  'cli-proxies': 'CERISE_TRUSTED_PROXIES 中的 {0} 不是 IP 地址或网段。',
  'cli-proxies-hint': '请用逗号分隔地址或网段，例如 127.0.0.1,10.0.0.0/8。',
  'cli-oidc': 'CERISE_OIDC_ISSUER 不是 https 地址，或缺少 CERISE_OIDC_CLIENT_ID。',
  'cli-oidc-hint':
    '请同时设置 CERISE_OIDC_ISSUER（https://…）和 CERISE_OIDC_CLIENT_ID，或都不设置。',
  'cli-pace': 'CERISE_DEMO_PACE={0} 无效。',
  'cli-pace-hint': '请填写演示模型每个词之间的毫秒数，0 到 60000。',
  'cli-log-level': 'CERISE_LOG_LEVEL={0} 不是日志级别。',
  'cli-log-level-hint': '请使用其中之一：{0}。',
  'cli-fault': 'CERISE_FAULT 会让 Cerise 故意出错。',
  'cli-fault-hint': '请取消设置；如果是测试，请同时设置 CERISE_ALLOW_FAULTS=1。',
  'cli-stopped': '已停止。',
  'cli-topic': '对话 {0}',
  'cli-retry': '{0}，{1} 秒后重试（第 {2}/{3} 次）。按 Ctrl-C 停止，或用 --model 换一个模型。',
  'cli-run-by': '由 {0} 运行',
  'cli-retry-rate': '请求过于频繁',
  'cli-retry-overloaded': '服务商过载',
  'cli-retry-unreachable': '无法连接服务商',
  'cli-retry-failed': '服务商出错',
  'cli-retry-empty': '模型返回了空回答',
  'cli-denied': '已拒绝，因为这不是交互式终端。可用 --yes 批准：{0}',
  'cli-may-run': '允许这次调用吗？（{0}）',
  'cli-for-host': '[h] 对主机 {0}，',
  'cli-choices': '[y] 是，[t] 在本对话中，[g] 对这些参数，{0}[a] 始终，[N] 否：',
  'cli-form': '直接回车使用默认值或跳过；输入 /d 拒绝，/c 取消。',
  'cli-send': '发送吗？[Y] 是，[a] 重填，[d] 拒绝，[c] 取消：',
  'cli-required': '此项必填。',
  'cli-field-problem': '此值{0}',
  'cli-kind-text': '文本',
  'cli-kind-number': '数字',
  'cli-kind-integer': '整数',
  'cli-kind-choice': '选项编号',
  'cli-kind-choices': '选项编号，用逗号分隔',
  'cli-asks': '{0} 需要你提供信息：',
  'cli-asks-visit': '{0} 请你打开一个页面：',
  'cli-asks-model': '{0} 想使用模型 {1}：',
  'cli-lookalike': '警告：这个域名含有形近字符，可能在冒充别的域名。',
  'cli-not-encrypted': '警告：与这个页面的连接没有加密。',
  'cli-open-question': '打开吗？[y] 是，[d] 拒绝，[C] 取消：',
  'cli-sampling-question': '发送并把回答交给服务器吗？[y] 是，[N] 否：',
  'cli-stop-at': '停止序列：{0}',
  'cli-temperature': '，温度 {0}',
  'cli-max-tokens': '（最多输出 {0} 个 Token{1}）',
  'cli-structured': '[结构化数据，{0}]',
  'cli-more': '[…… 还有 {0} 项]',
  'cli-left-out-chars': '[…… 省略 {0} 个字符{1}]',
  'cli-stored-whole': '；完整结果已保存（{0}）',
  'cli-pager': '-- 还有 {0} 行：[Enter] 下一页，[a] 全部，[q] 退出 -- ',
  'cli-sign-in-not-needed': '不需要',
  'cli-sign-in-none': '未登录',
  'cli-sign-in-done': '已登录',
  'cli-sign-in-expired': '已过期',
};
