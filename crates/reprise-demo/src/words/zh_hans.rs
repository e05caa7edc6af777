//! Chinese in simplified characters. The text has only characters that exist in GBK.

use super::{Labels, Language, Topic};

pub(crate) const CHINESE_SIMPLIFIED: Language = Language {
    tag: "zh-Hans",
    right_to_left: false,
    between: "",
    names: [
        &[
            "青", "云", "白", "松", "临", "清", "石", "雁", "竹", "梅", "望", "听", "落", "古",
            "听雨", "半",
        ],
        &[
            "溪", "山", "塘", "桥", "林", "湖", "岭", "泉", "谷", "坪", "洲", "峰",
        ],
        &["镇", "村", "庄", "里", "渡", "坊", "寨", "湾", "堡", "亭"],
    ],
    slots: SLOTS,
    topics: &[Topic {
        key: "tea",
        titles: TITLES,
        sentences: SENTENCES,
    }],
    labels: Labels {
        home: "首页",
        about: "关于我们",
        archive: "归档",
        contact: "联系方式",
        search: "搜索",
        by: "作者：",
        more: "阅读全文",
        related: "相关文章",
        previous: "上一篇",
        next: "下一篇",
        rights: "版权所有。",
        motto: "记录山间的茶、书与旧日手艺，每一篇都由本站编辑亲自走访写成。",
    },
};

const TITLES: &[&str] = &[
    "{name}的{adj}{noun}",
    "走进{name}",
    "{noun}与{noun}：{name}札记",
    "{name}{year}年纪事",
    "寻访{place}{noun}",
];

const SENTENCES: &[&str] = &[
    "{when}，{who}在{name}发现了一座{adj}{noun}，{tail}。",
    "{name}的{noun}{how}{verb}着{noun}，{tail}。",
    "据{who}回忆，{adj}{noun}{when}曾经{verb}过{number}件{noun}。",
    "从{place}到{name}要走{small}个时辰，{tail}。",
    "{who}{how}{verb}了{adj}{noun}，又写下{number}字的笔记。",
    "那里有{adj}{noun}，也有{adj}{noun}，{who}{when}才{verb}它们。",
    "{where}有{small}处{adj}{noun}，{tail}。",
    "若没有{who}，{name}的{noun}早已无人{verb}。",
    "{when}，{adj}{noun}被搬到{where}，{tail}。",
    "每隔{small}年，{place}的{who}都会来{name}{verb}{noun}。",
    "{noun}的做法有{small}种，{name}人最爱{adj}那一种。",
    "书中说{place}{where}出产{adj}{noun}，{who}却不以为然。",
];

const SLOTS: &[(&str, &[&str])] = &[
    (
        "adj",
        &[
            "古老的",
            "清香的",
            "安静的",
            "罕见的",
            "朴素的",
            "精致的",
            "遥远的",
            "温润的",
            "斑驳的",
            "明亮的",
            "狭长的",
            "厚重的",
            "细腻的",
            "陌生的",
            "完整的",
            "残缺的",
            "新修的",
            "幽深的",
        ],
    ),
    (
        "noun",
        &[
            "茶园", "书院", "石桥", "戏台", "药铺", "窑址", "竹器", "古籍", "茶壶", "水车", "祠堂",
            "城墙", "画卷", "木雕", "渡口", "钟楼", "花圃", "碑文", "酒坊", "织机", "灯笼", "井台",
        ],
    ),
    (
        "verb",
        &[
            "收藏", "修复", "守护", "描绘", "制作", "研究", "整理", "照看", "记录", "晾晒", "搬运",
            "翻阅",
        ],
    ),
    (
        "who",
        &[
            "老茶农",
            "守林人",
            "村里的先生",
            "修书匠",
            "船夫",
            "采药人",
            "陶艺师",
            "年轻的店主",
            "县志编者",
            "过路的画师",
            "木匠",
            "读者",
        ],
    ),
    (
        "how",
        &[
            "细心地",
            "默默",
            "一遍遍地",
            "小心翼翼地",
            "慢慢",
            "不紧不慢地",
            "亲手",
            "偶然",
        ],
    ),
    (
        "when",
        &[
            "{year}年春天",
            "清明前后",
            "{year}年",
            "{small}年以前",
            "大雪过后",
            "{year}年秋收时节",
            "每逢初一",
            "入夏以来",
            "{year}年末",
        ],
    ),
    (
        "where",
        &[
            "{place}东边",
            "{noun}后面",
            "{place}与{place}之间",
            "半山腰上",
            "{place}河畔",
            "{noun}旁边",
        ],
    ),
    (
        "tail",
        &[
            "{who}至今还在{verb}{noun}",
            "可惜{noun}已经不在",
            "连{place}的{who}也赶来{verb}",
            "因此得名{place}",
            "这让{who}十分欢喜",
            "而{adj}{noun}依旧如故",
            "只留下{small}件{noun}",
            "{when}才重新开放",
            "于是{who}开始{verb}{noun}",
            "与{place}的{noun}颇为相似",
        ],
    ),
    ("initial", &["老", "小", "阿"]),
];
