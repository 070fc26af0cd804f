#!/bin/sh
# The first calls, one after the other: HUVUDBOK_URL=… HUVUDBOK_KEY=… sh examples/curl/first-calls.sh
set -eu
: "${HUVUDBOK_URL:=http://127.0.0.1:3000}" "${HUVUDBOK_KEY:?A key: huvudbok key create --name Prov --scope data:read --scope ledger:write --scope intake:write}"
today=$(date +%F)

# --fail-with-body shows the refusal, and still ends with an error; --retry sends again after 429 and 5xx, as long as Retry-After says.
call() {
  path=$1
  shift
  curl --silent --show-error --fail-with-body --retry 5 --header "Authorization: Bearer $HUVUDBOK_KEY" "$@" "$HUVUDBOK_URL$path"
  echo
}

echo "# Who am I, and what may I?"
call /api/v1/meta

echo "# Two accounts to post on"
call "/api/v1/konton?id=1930&id=3001"

echo "# Would this be posted? Nothing is written."
call "/api/v1/verifikat?dryRun=true" --header "Idempotency-Key: first-calls-$today" --json @- <<JSON
{"seriesCode": "A", "date": "$today", "description": "Cash sale",
 "rows": [{"account": 1930, "debit": 125, "credit": 0},
          {"account": 3001, "debit": 0, "credit": 100},
          {"account": 2611, "debit": 0, "credit": 25}]}
JSON

echo "# An order; sent again it is the same one"
for _ in first again; do
  call /api/inbound/order --json @- <<JSON
{"externalId": "first-calls-$today", "orderDate": "$today", "currency": "SEK", "pricesIncludeVat": true, "total": 199,
 "customer": {"name": "Anna Andersson"},
 "rows": [{"description": "Coffee grinder", "quantity": 1, "unitPrice": 199, "vatRate": 25}]}
JSON
done

echo "# What happened: the oldest events kept"
call "/api/v1/handelser?limit=2"
