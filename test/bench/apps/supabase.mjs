// One call through supabase-js: what it weighs.
import { createClient } from "@supabase/supabase-js"

createClient("https://api.example.com", "key-1").from("boxes").select("*").limit(10).then(console.log)
