//! The English topics.

use super::Topic;

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        key: "news",
        titles: NEWS_TITLES,
        sentences: NEWS,
    },
    Topic {
        key: "lore",
        titles: LORE_TITLES,
        sentences: LORE,
    },
    Topic {
        key: "recipes",
        titles: RECIPE_TITLES,
        sentences: RECIPES,
    },
    Topic {
        key: "travel",
        titles: TRAVEL_TITLES,
        sentences: TRAVEL,
    },
    Topic {
        key: "campus",
        titles: CAMPUS_TITLES,
        sentences: CAMPUS,
    },
    Topic {
        key: "money",
        titles: MONEY_TITLES,
        sentences: MONEY,
    },
    Topic {
        key: "craft",
        titles: CRAFT_TITLES,
        sentences: CRAFT,
    },
    Topic {
        key: "sales",
        titles: SALES_TITLES,
        sentences: SALES,
    },
];

const NEWS_TITLES: &[&str] = &[
    "{name} reopens its {adj} {noun}",
    "Why {group} {did} the {name} {noun}",
    "{number} {nouns} counted at {name}",
    "{name} votes on the {adj} {noun}",
    "A {adj} year for the {noun} at {name}",
    "{Nouns} return to {name} {when}",
];

const NEWS: &[&str] = &[
    "{Group} {did} the {name} {noun} {when}, {tail}.",
    "A spokesperson for {place} said the {adj} {noun} had been {did} {how}.",
    "Residents of {name} {did} {number} {nouns} {when}, according to {group}.",
    "\"Nobody expected the {noun} to be {adj},\" said {initial} {place}, who {did} it {when}.",
    "The {adj} {noun} {spot} was {did} {how}, {tail}.",
    "Figures from {place} show {number} {adj} {nouns} {spot}, up from {small} {when}.",
    "Critics in {name} called the {noun} {adj}, {tail}.",
    "{When} {group} had {did} every {noun} {spot}.",
    "The vote in {place} passed {how}, {tail}.",
    "Repairs to the {name} {noun} will take {small} months and {number} {nouns}, {group} said.",
    "Under the {adj} plan, {group} {did} both the {noun} and the {nouns} {spot}.",
    "No {nouns} were hurt when the {noun} {spot} was {did} {when}.",
    "{initial} {place}, a clerk in {name}, {did} the {adj} {nouns} {how}.",
];

const LORE_TITLES: &[&str] = &[
    "{name}",
    "{name} ({noun})",
    "The {noun} of {name}",
    "History of the {name} {noun}",
    "{name} and {place}",
    "{Nouns} of {name}",
];

const LORE: &[&str] = &[
    "{name} is a {adj} {noun} {spot}, first {did} {when}.",
    "The name {name} is thought to come from {place}, meaning \"{adj} {noun}\".",
    "Its {noun} covers {number} hectares and holds {small} {adj} {nouns}.",
    "In {year} {group} {did} the {noun} {how}, {tail}.",
    "Early {nouns} of {name} were {did} {spot}, {tail}.",
    "The {adj} {noun} at {place} is often confused with that of {name}.",
    "A census {when} listed {number} {nouns} and {small} {adj} {nouns}.",
    "{Group} {did} its {nouns} {when}, and the {noun} passed to {place}.",
    "Scholars from {place} {did} the {adj} {noun} in {year}, {tail}.",
    "Little is known of the {noun} that {group} {did} {when}.",
    "The climate {spot} is {adj}, with {number} millimetres of rain a year.",
    "Since {year} {name} has been twinned with {place}, {tail}.",
    "Its {adj} {nouns} were {did} {how} and are now kept {spot}.",
];

const RECIPE_TITLES: &[&str] = &[
    "{name} {food} {dish}",
    "{Food} and {food} {dish}",
    "A {adj} {dish} from {name}",
    "How {name} makes {food} {dish}",
    "{Dish} with {food} for {small}",
];

const RECIPES: &[&str] = &[
    "Rinse {number} grams of {food} and leave it beside the {food} for {small} hours.",
    "In {name} the {food} is always folded {how} into the {dish}.",
    "Stir the {food} {how}, then add {small} spoons of {food} and a little {food}.",
    "My aunt in {place} served this {dish} with {food} {when}.",
    "Simmer the {food} for {number} minutes, until the {food} turns {adj}.",
    "If the {dish} looks {adj}, another {small} drops of {food} will mend it.",
    "The {adj} trick from {name} is {food}, {tail}.",
    "Cover the {food} with {food} and set it {spot} overnight.",
    "Older notes {spot} ask for {food}, but {food} gives a more {adj} {dish}.",
    "{Group} {did} the first {name} {dish} {when}, {tail}.",
    "Serve {small} portions at once, with {food}, {food} and the {adj} {dish} from {place}.",
    "Keep the {food} {dish} in a {adj} jar for {small} days.",
];

const TRAVEL_TITLES: &[&str] = &[
    "{small} days in {name}",
    "The {adj} road to {name}",
    "From {place} to {name} by {noun}",
    "{name}: a {adj} {noun} and {number} {nouns}",
    "Walking {name} {when}",
];

const TRAVEL: &[&str] = &[
    "We reached {name} {when}, {how} and {small} hours late.",
    "The {adj} bus from {place} stops {spot}, {tail}.",
    "{Spot} we found a {adj} {noun} and {number} {nouns}.",
    "A guesthouse {spot} charges {number} for the {adj} room above the {noun}.",
    "On the {small}th morning the {noun} at {name} was {adj} and empty.",
    "Nobody in {place} could say who {did} the {adj} {noun}.",
    "I {did} the {noun} {how}, which {group} found {adj}.",
    "The walk from {place} to {name} takes {small} hours, {tail}.",
    "Bring {adj} shoes, {small} {nouns} and patience for the {noun} {spot}.",
    "{When} the whole of {name} smells of {food} and {food}.",
    "Our {adj} guide had {did} the {name} {noun} {when}.",
    "Past {place} the {noun} turns {adj}, {tail}.",
];

const CAMPUS_TITLES: &[&str] = &[
    "The {name} project on {adj} {nouns}",
    "Lecture: the {adj} {noun} of {name}",
    "{name} fellowship for work on {nouns}",
    "Field notes from {name}",
    "Course {number}: {nouns} and the {noun}",
];

const CAMPUS: &[&str] = &[
    "The {name} project {did} {number} {nouns} {spot} {when}.",
    "Students of the {adj} {noun} course meet {spot} every {small} weeks.",
    "{initial} {place} will speak about {adj} {nouns}, {tail}.",
    "Applications from {place} close {when}, {tail}.",
    "The seminar {did} the {name} {noun} {how} and published {small} papers.",
    "Funding from {group} covers {number} {nouns} and one {adj} {noun}.",
    "Our laboratory {spot} holds {small} {adj} {nouns} from {name}.",
    "Reading for week {small} is the {place} volume on {nouns} and the {adj} {noun}.",
    "A {adj} model of the {noun} was {did} at {name} {when}.",
    "Graduates have since {did} the {noun} {spot}, {tail}.",
    "The library lends {number} {nouns} a year to {place}, {how}.",
    "Results from {name} disagree with those of {place}, {tail}.",
];

const MONEY_TITLES: &[&str] = &[
    "The {name} saver account",
    "Borrowing for a {adj} {noun}",
    "How {name} protects your {nouns}",
    "A guide to the {noun} loan",
    "{name} branch news",
];

const MONEY: &[&str] = &[
    "The {name} account pays interest every {small} months, {tail}.",
    "You can move {number} a day between {place} and any {adj} account.",
    "Our {place} branch {did} its {noun} {when} and is open {small} days a week.",
    "Borrow up to {number} thousand for a {adj} {noun}, repaid over {small} years.",
    "We never ask for your {name} passcode by letter, {noun} or telephone.",
    "Customers in {place} {did} {number} {nouns} with the {adj} card {when}.",
    "Deposits in {name} are {did} {how}, {tail}.",
    "Ask {group} about the {adj} {noun} allowance {when}.",
    "The fee for {small} {adj} {nouns} was {did} {when}.",
    "Call the {place} desk if a {noun} looks {adj} or you were charged {number}.",
];

const CRAFT_TITLES: &[&str] = &[
    "Mending the {name} {noun}",
    "A {adj} week with {nouns}",
    "{small} things I learned at {name}",
    "Notes on a {adj} {noun}",
    "The {noun} from {name}, finished {when}",
];

const CRAFT: &[&str] = &[
    "This week I {did} the {adj} {noun} from {name}, {tail}.",
    "My {noun} was {adj} again, so {group} {did} it {how}.",
    "A reader in {place} sent {small} {nouns} and a {adj} note.",
    "I paid {number} for {adj} {nouns} {spot}, {tail}.",
    "The {name} pattern asks for {number} {nouns}, but {small} were {adj}.",
    "{When} I had {did} only {small} {nouns}, {how}.",
    "If your {noun} turns {adj}, try the {place} method {when}.",
    "There is a {adj} {noun} {spot} where {nouns} cost {number}.",
    "Half the {nouns} from {name} were {did} {when}, {tail}.",
    "Next I want a {adj} {noun} like the one {group} {did}.",
    "It rained at {place}, so the {nouns} stayed {adj} and I {did} the {noun}.",
];

const SALES_TITLES: &[&str] = &[
    "cheap {nouns} {name} {adj} {noun} best price",
    "{name} {noun} online {adj} {nouns} free quote",
    "best {adj} {noun} {name} discount {nouns} {year}",
    "compare {nouns} {name} low cost {noun} deals",
];

const SALES: &[&str] = &[
    "Compare {number} {adj} {nouns} from {place} and save on every {noun} today.",
    "Our {place} partners {did} the lowest {noun} price {when}, guaranteed.",
    "Free {noun} quote in {small} minutes for {adj} {nouns} anywhere near {place}.",
    "Click for {number} {nouns}, {adj} {noun} offers and {place} bonus codes.",
    "Buyers {spot} {did} their {noun} {how} with our {adj} voucher.",
    "Top {small} {nouns} sites reviewed: {place}, {place} and the {adj} {noun} shop.",
];
