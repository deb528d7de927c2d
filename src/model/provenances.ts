/** Who can stand behind a text. Without the schema: the help of commands names them, and loads none. */
export const provenances = ["user_stated", "ai_stated", "ai_inferred", "external_source"] as const;
