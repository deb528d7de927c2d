/**
 * The end of a query for the one row, or few, whose last column of a key is this, the columns before being equal to something.
 * Said as an order, which only the key's index has: while tables are empty, or not analysed yet, any other index that begins
 * with the partition looks as good to the planner, and would then be walked through for every row.
 *
 * @param more further conditions
 */
export function onlyRow(column: string, value: string, more = "true"): string {
  return `"${column}" between ${value} and ${value} and ${more} order by "${column}"`;
}
