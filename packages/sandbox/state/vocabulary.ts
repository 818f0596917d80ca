/** The texts of seeded data. */

/** The seeded past: everything seeded happened between these two moments. */
export const began = new Date("2024-09-01T09:00:00Z")
export const ended = new Date("2025-09-01T09:00:00Z")

export const firstNames = [
  "Nino",
  "Giorgi",
  "Tamar",
  "Luka",
  "Mariam",
  "Davit",
  "Salome",
  "Irakli",
  "Keti",
  "Levan",
  "Elene",
  "Sandro",
  "Natia",
  "Zura",
  "Lika",
  "Tornike",
  "Maka",
  "Vakho",
  "Eka",
  "Gela",
  "Emma",
  "Noah",
  "Sofia",
  "Jonas",
  "Leyla",
  "Arman",
  "Clara",
  "Mateo",
  "Olga",
  "Felix"
] as const

export const lastNames = [
  "Beridze",
  "Kapanadze",
  "Gelashvili",
  "Lomidze",
  "Maisuradze",
  "Tsiklauri",
  "Kobakhidze",
  "Japaridze",
  "Chikovani",
  "Dolidze",
  "Abashidze",
  "Meladze",
  "Keller",
  "Novak",
  "Rossi",
  "Lindqvist",
  "Aslanyan",
  "Demir",
  "Moreau",
  "Okafor"
] as const

export const districts = [
  "Vake",
  "Saburtalo",
  "Mtatsminda",
  "Sololaki",
  "Vera",
  "Chugureti",
  "Avlabari",
  "Didi Digomi",
  "Isani",
  "Gldani"
] as const

export const cities = ["Tbilisi", "Batumi", "Kutaisi", "Rustavi", "Gudauri"] as const

export const interests = [
  "family",
  "investment",
  "view",
  "quiet",
  "centre",
  "renovated",
  "garden",
  "parking"
] as const

/** Kinds of items, with the range of their prices in US dollars. */
export const itemKinds = [
  { type: "apartment", nouns: ["apartment", "flat", "duplex", "loft"], from: 45_000, to: 320_000 },
  { type: "house", nouns: ["house", "townhouse", "cottage"], from: 90_000, to: 650_000 },
  { type: "office", nouns: ["office", "studio office"], from: 60_000, to: 400_000 },
  { type: "parking", nouns: ["parking place", "garage"], from: 8_000, to: 25_000 },
  {
    type: "service",
    nouns: ["cleaning", "interior design", "boiler service", "moving", "key service"],
    from: 40,
    to: 3_500
  }
] as const

export const adjectives = [
  "Bright",
  "Quiet",
  "Spacious",
  "Renovated",
  "Sunny",
  "Compact",
  "New",
  "Corner"
] as const

/** Texts of requests by type. */
export const wishes = {
  MAINTENANCE: ["The lift has stopped again", "Water drips in the bathroom", "The entrance light is broken"],
  BUY: ["I would like to buy the flat next door", "Looking for two rooms in Vake"],
  RENT: ["Looking for an office for six people", "A flat to rent from October"],
  SELL: ["I want to sell my parking place", "Please value my apartment"],
  RENT_OUT: ["My flat is free from next month"],
  WAITING_LIST: ["Please put me on the list for block C"],
  REQUEST_INVOICE: ["I need the invoice for July", "Please send last year's invoices"],
  VISIT: ["May I visit the construction site?", "A visit to the show flat on Saturday"],
  CHANGE_FILE: ["My name is misspelled in the contract"],
  VACATION: ["Two weeks in August"],
  TRAINING: ["A course on fire safety"]
} as const

export const answers = [
  "Thank you, we are looking into it.",
  "Our colleague will call you today.",
  "Would Thursday at 10 suit you?",
  "This is done. Please tell us if anything is left.",
  "Could you send a photo?",
  "We have passed it to the complex manager."
] as const

export const replies = [
  "Thank you!",
  "Thursday is fine.",
  "Here is the photo.",
  "When will it be ready?",
  "Great, that was quick.",
  "Could it be in the afternoon?",
  "I am at home until six."
] as const

export const questions = [
  "Hello, is the flat on the fifth floor still free?",
  "Good morning, I have a question about my invoice.",
  "Hi! When can I get the keys?",
  "Hello, the heating does not work.",
  "May I pay in two parts?"
] as const

export const topics = [
  "General",
  "CRM",
  "Contact Center",
  "Sales",
  "Broker",
  "Complex Manager",
  "Other"
] as const
