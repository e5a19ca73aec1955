import { lazy } from '#shared/async/lazy.ts';
import { stem } from './stem.ts';

/** Words that people and tool writers use for the same thing. General ones only: no vendor, no trade. */
const groups = `
create add new make insert generate set up
create open start begin
create write compose draft
delete remove erase drop clear discard trash rid
update edit change modify set adjust alter patch revise
get read show fetch view retrieve display see
list show all browse enumerate every which
search find lookup query look locate where
send post publish deliver
run execute start launch trigger invoke begin
stop cancel abort end terminate halt kill shut
copy duplicate clone
move relocate transfer put
rename name call
close resolve finish complete done fix
upload import attach put
download export save
connect link join attach relate
merge combine join unite
split divide separate
reply respond answer
comment remark note feedback
assign give hand delegate
approve accept confirm agree
reject decline refuse deny
enable activate on
disable deactivate off
mute silence snooze pause
follow watch subscribe
schedule plan book reserve
summarize summary digest overview
compare diff difference
check verify validate test
restore recover undo revert rollback back
share invite permission
lock protect
block ban
count number many total quantity
explain describe detail
compute calculate
convert transform turn
compress zip pack archive
extract unzip unpack unarchive
resize scale size bigger smaller
deploy release rollout ship
install setup
learn train study
remember memory store fact
recognize ocr detect extract
speak speech voice talk
draw plot chart graph diagram
file document
folder directory
picture image photo
screenshot picture capture
movie film video
song track music
audio sound speech voice recording
user person member people account
person people contact who
employee staff worker colleague
team group
company organization business
email mail
message chat conversation say talk
ticket issue bug
error exception crash failure problem
meeting event appointment
task todo
customer client buyer shopper
invoice bill
payment charge pay
buy purchase order
price cost spend expense
money amount balance fund
discount coupon reduction
refund return
stock inventory
ship shipment parcel delivery package
page site website
web internet online
address url link
news article story headline
review rating opinion
repository repo
branch version
version revision release
database db
row record entry item
column field property attribute
table sheet spreadsheet
slide presentation deck
configuration config setting preference option
environment env
administrator admin
application app program
information info detail
documentation doc manual
permission access role
rule policy
token key
password secret credential
vulnerability security weakness
tag label
statistic stat metric analytics
performance slow fast speed latency
memory ram
disk storage space
history past previous earlier
machine instance server vm computer
job task run
backup snapshot
place location address
direction route way road
trip travel journey
flight plane airline
hotel room stay accommodation
train rail
car vehicle drive
taxi ride cab
restaurant food eat
recipe cook dish meal
weather forecast rain
temperature thermostat degree heat warm cold
light lamp bulb
house home
notification alert warn
time hour minute duration
day date
free available availability
holiday vacation leave absence
contain content include
questionnaire survey form
course class lesson
contract agreement
language translate
salary wage payroll
restart reboot reload
wake alarm
currency exchange dollar euro yen pound yuan
calculate compute math arithmetic percent sum
compare between versus
medicine medication pill
exercise workout sport fitness
television tv
volume loud quiet
near nearby around close
phone call mobile
sign login authenticate
console output log
status state progress
uptime down available
broken fail error
due deadline
urgent priority important
owner author who
word text
emoji reaction
function lambda
kubernetes pod cluster
domain dns
certificate tls ssl https
revenue sale earning income turnover
cart basket
product goods item
supplier vendor
story epic issue
schema structure
unusual anomaly outlier strange
entity relation graph
dictionary definition meaning
stock share quote
title subject name
删除 移除 清除 去掉 删掉
创建 新建 添加 新增 建立 增加
修改 更新 编辑 更改 改成 改为 调整
查看 获取 读取 查询 显示 看看
列出 列表 所有 全部 哪些 清单
搜索 查找 检索 寻找 查询 找到
发送 发布 发给 推送
上传 导入
下载 导出 保存
取消 终止 停止 撤销
同意 批准 通过
拒绝 驳回
预订 预约 预定
提交 申请
文件 文档
图片 图像 照片
用户 成员 人员 员工
同事 员工
消息 信息
通知 公告
会议 日程
任务 待办
订单 购买 下单
价格 费用 多少 票价
路线 导航
驾车 开车 自驾
公交 地铁 坐车
步行 走路
打车 叫车 网约
忙闲 有空 空闲
天气 气温 预报 下雨
地址 位置 地点
附近 周边 旁边
翻译 译成
总结 摘要 概括 要点
识别 提取
群聊 群组
退款 退货 退钱
请假 休假 年假
打卡 考勤 签到
工资 薪水 薪资
快递 物流 包裹
视频 影片
音乐 歌曲
餐厅 饭店 美食
机票 航班
火车 高铁
汇率 换算 兑换
股票 行情 股价
外卖 点餐
合同 协议
缺陷 问题
会议 纪要 妙记
计算 算一
时间 几点
重启 重新
播放 音乐
入职 报到
`;

/** Short forms and what they stand for. */
const shortForms = `
pr pull request
mr merge request
k8s kubernetes
ci pipeline
cpu processor
faq question
kb knowledge base
ooo out office
qa question answer
id identifier
sms text message
`;

/** Words that carry no wish of their own. */
const emptyText = `
a an the of to for in on at by with from into and or is are was were be been am do does did can could
would will shall should may might must i me my mine we us our you your he she it its they them their
this that these those there here what which who whom whose how when where why please want wants need
needs like let lets help just also so as if then than not no any some about up out over under again
have has had having get gets got tell give show know im ive id whats hey thanks now right today
tonight tomorrow yesterday
`;

const emptyWords = lazy(
  () => new Set(readLines(emptyText).flatMap((words) => words.map((word) => stem(word)))),
);
const related = lazy(() => readGroups(groups));
const expansions = lazy(
  () =>
    new Map(
      readLines(shortForms).map(([short = '', ...rest]) => [
        stem(short),
        rest.map((word) => stem(word)),
      ]),
    ),
);

/** Synonyms, as stems. */
export function synonymsOf(term: string): readonly string[] {
  return related().get(term) ?? [];
}

/** The words a short form stands for, as stems; empty for a word that is none. */
export function expansionOf(term: string): readonly string[] {
  return expansions().get(term) ?? [];
}

/** Whether a term says nothing of what is wanted. */
export function isEmptyWord(term: string): boolean {
  return emptyWords().has(term);
}

function readLines(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
}

function readGroups(text: string): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const group of readLines(text).map((words) => words.map((word) => stem(word))))
    for (const term of group) {
      const others = found.get(term) ?? new Set();
      for (const other of group) if (other !== term) others.add(other);
      found.set(term, others);
    }
  return new Map([...found].map(([term, others]) => [term, [...others]]));
}
