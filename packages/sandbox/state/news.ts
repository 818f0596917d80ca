/** What pieces of news say at length, in English and Georgian, and the dictionary that `content.translate` looks into. */

/** A paragraph in both languages. */
type Paragraph = readonly [en: string, ka: string]

const byCategory = {
  company: [
    [
      "We have published the report for the past half-year. It says what was built, what it cost, and what we will do about the two houses that are late.",
      "გამოვაქვეყნეთ გასული ნახევარი წლის ანგარიში. მასში წერია, რა აშენდა, რა დაჯდა და რას ვაპირებთ ორ დაგვიანებულ სახლთან დაკავშირებით."
    ],
    [
      "The figures were examined by an independent auditor, whose statement stands on the last page. Questions are answered at the meeting of owners, or by e-mail within five working days.",
      "მაჩვენებლები დამოუკიდებელმა აუდიტორმა შეამოწმა; მისი დასკვნა ბოლო გვერდზეა. კითხვებს ვპასუხობთ მესაკუთრეთა კრებაზე ან ელფოსტით, ხუთი სამუშაო დღის განმავლობაში."
    ],
    [
      "Whoever wants a printed copy can take one at the office, on weekdays from ten to six.",
      "ნაბეჭდი ასლის აღება შესაძლებელია ოფისში, სამუშაო დღეებში ათიდან ექვს საათამდე."
    ]
  ],
  construction: [
    [
      "The work begins on Monday and takes about three weeks. On weekdays it is loud between nine and six; at the weekend nobody works.",
      "სამუშაოები ორშაბათს იწყება და დაახლოებით სამ კვირას გაგრძელდება. სამუშაო დღეებში ხმაური ცხრიდან ექვს საათამდეა; შაბათ-კვირას არავინ მუშაობს."
    ],
    [
      "Hot water is off on the first two days. The entrance from the yard stays open, the one from the street is closed. Please leave the parking places by the wall free: the crane stands there.",
      "პირველ ორ დღეს ცხელი წყალი არ იქნება. ეზოს მხრიდან შესასვლელი ღიაა, ქუჩის მხრიდან დაკეტილი. გთხოვთ, კედელთან ავტოსადგომები გაათავისუფლოთ: იქ ამწე დგას."
    ],
    [
      "If something in your flat is damaged, send us a photo through a request of the type Maintenance. We look at it within two days.",
      "თუ თქვენს ბინაში რამე დაზიანდა, გამოგვიგზავნეთ ფოტო მოთხოვნით. ორ დღეში ვნახავთ."
    ]
  ],
  neighbourhood: [
    [
      "The place between the houses is finished: two swings, a slide, a sand pit and six benches in the shade. The old trees have stayed.",
      "სახლებს შორის მოედანი დასრულებულია: ორი საქანელა, სასრიალო, ქვიშის ყუთი და ექვსი სკამი ჩრდილში. ძველი ხეები დარჩა."
    ],
    [
      "We open it on Saturday at noon. There is juice and cake, and a gardener tells the children what grows there.",
      "გახსნა შაბათს, შუადღისას არის. იქნება წვენი და ნამცხვარი, მებაღე კი ბავშვებს უამბობს, რა იზრდება იქ."
    ],
    [
      "The gate is locked from ten in the evening to seven in the morning. The key of your entrance opens it, too.",
      "ჭიშკარი საღამოს ათიდან დილის შვიდ საათამდე იკეტება. მას თქვენი სადარბაზოს გასაღებიც აღებს."
    ]
  ],
  finance: [
    [
      "From next month the bank lends to our buyers at a lower rate. It holds for flats that are handed over within a year, and for at most twenty years.",
      "მომავალი თვიდან ბანკი ჩვენს მყიდველებს სესხს უფრო დაბალ განაკვეთად აძლევს. ეს ეხება ბინებს, რომლებიც ერთ წელიწადში ჩაბარდება, და ვადას არაუმეტეს ოცი წლისა."
    ],
    [
      "Contracts that are signed already can be changed once, without a fee. Bring your passport and the contract to the office; it takes half an hour.",
      "უკვე გაფორმებული ხელშეკრულების შეცვლა ერთხელ, უსასყიდლოდ შეიძლება. მოიტანეთ პასპორტი და ხელშეკრულება ოფისში; ამას ნახევარი საათი სჭირდება."
    ],
    [
      "An example: of 100,000 dollars over ten years, 1,110 dollars a month are paid in place of 1,180.",
      "მაგალითი: ათი წლით აღებულ 100 000 დოლარზე თვეში 1 180 დოლარის ნაცვლად 1 110 დოლარს გადაიხდით."
    ]
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<Paragraph>>>

type Category = keyof typeof byCategory

/** The text of a piece of news: two or three paragraphs in both languages. */
export const bodyOf = (category: Category, index: number): { readonly en: string; readonly ka: string } => {
  const paragraphs = byCategory[category].slice(0, index % 4 === 3 ? 2 : 3)
  return {
    en: paragraphs.map(([en]) => en).join("\n\n"),
    ka: paragraphs.map(([, ka]) => ka).join("\n\n")
  }
}

const phrases: ReadonlyArray<Paragraph> = [
  ["Autumn offer", "შემოდგომის შეთავაზება"],
  ["Visit the show flat", "ეწვიეთ საჩვენებელ ბინას"],
  ["Pay in twelve parts", "გადაიხადეთ თორმეტ ნაწილად"],
  ["company", "კომპანია"],
  ["construction", "მშენებლობა"],
  ["neighbourhood", "უბანი"],
  ["finance", "ფინანსები"],
  ["By card, by transfer or by a link that we send.", "ბარათით, გადარიცხვით ან ბმულით, რომელსაც ვაგზავნით."],
  ["On the day of the handover, at the site office.", "ჩაბარების დღეს, სამშენებლო ოფისში."],
  ["The complex manager, at any hour.", "კომპლექსის მენეჯერს, ნებისმიერ საათზე."],
  ["Until the walls are up. Ask for a meeting.", "სანამ კედლები ამოვა. ითხოვეთ შეხვედრა."],
  ["Two places for each three flats.", "ორი ადგილი ყოველ სამ ბინაზე."],
  ["Yes, with our consent.", "დიახ, ჩვენი თანხმობით."],
  ...Object.values(byCategory).flat()
]

const districts: Readonly<Record<string, string>> = {
  Vake: "ვაკე",
  Saburtalo: "საბურთალო",
  Mtatsminda: "მთაწმინდა",
  Sololaki: "სოლოლაკი",
  Vera: "ვერა",
  Chugureti: "ჩუღურეთი",
  Avlabari: "ავლაბარი",
  "Didi Digomi": "დიდი დიღომი",
  Isani: "ისანი",
  Gldani: "გლდანი"
}

/** What is said of a district, in words around its name. */
const sentences: ReadonlyArray<readonly [en: RegExp, ka: (...parts: ReadonlyArray<string>) => string]> = [
  [/^Block ([A-D]) in (.+) is finished$/, (block, district) => `${district}: ${block} ბლოკი დასრულებულია`],
  [/^New playground in (.+)$/, (district) => `${district}: ახალი სათამაშო მოედანი`],
  [/^Works on the heating in (.+)$/, (district) => `${district}: გათბობის სამუშაოები`],
  [/^Our report on (.+)$/, (district) => `${district}: ჩვენი ანგარიში`],
  [/^Lower rates for flats in (.+)$/, (district) => `${district}: უფრო დაბალი განაკვეთი ბინებზე`],
  [/^What changes for those who live in (.+)\.$/, (district) => `${district}: რა იცვლება მაცხოვრებლებისთვის.`]
]

const known = new Map(phrases)
const knownBack = new Map(phrases.map(([en, ka]) => [ka, en]))

const georgianOf = (text: string): string => {
  const phrase = known.get(text)
  if (phrase !== undefined) return phrase
  for (const [pattern, say] of sentences) {
    const parts = pattern
      .exec(text)
      ?.slice(1)
      .map((part) => districts[part] ?? part)
    if (parts !== undefined) return say(...parts)
  }
  return `[ka] ${text}`
}

const byParagraph = (text: string, translate: (paragraph: string) => string): string =>
  text.split("\n\n").map(translate).join("\n\n")

/** A text in both languages, paragraph by paragraph: what the dictionary does not know is marked with the language. */
export const translated = (text: string): { readonly en: string; readonly ka: string } =>
  /[\u10a0-\u10ff]/.test(text)
    ? { en: byParagraph(text, (paragraph) => knownBack.get(paragraph) ?? `[en] ${paragraph}`), ka: text }
    : { en: text, ka: byParagraph(text, georgianOf) }
