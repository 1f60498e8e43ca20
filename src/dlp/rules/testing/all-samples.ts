import { airtable } from '../keys/airtable/rule.ts';
import { samples as airtableSamples } from '../keys/airtable/samples.ts';
import { anthropic } from '../keys/anthropic/rule.ts';
import { samples as anthropicSamples } from '../keys/anthropic/samples.ts';
import { atlassian } from '../keys/atlassian/rule.ts';
import { samples as atlassianSamples } from '../keys/atlassian/samples.ts';
import { aws } from '../keys/aws/rule.ts';
import { samples as awsSamples } from '../keys/aws/samples.ts';
import { awsSecret } from '../keys/aws-secret/rule.ts';
import { samples as awsSecretSamples } from '../keys/aws-secret/samples.ts';
import { azureClient } from '../keys/azure-client/rule.ts';
import { samples as azureClientSamples } from '../keys/azure-client/samples.ts';
import { azureStorage } from '../keys/azure-storage/rule.ts';
import { samples as azureStorageSamples } from '../keys/azure-storage/samples.ts';
import { brevo } from '../keys/brevo/rule.ts';
import { samples as brevoSamples } from '../keys/brevo/samples.ts';
import { buildkite } from '../keys/buildkite/rule.ts';
import { samples as buildkiteSamples } from '../keys/buildkite/samples.ts';
import { cerebras } from '../keys/cerebras/rule.ts';
import { samples as cerebrasSamples } from '../keys/cerebras/samples.ts';
import { circleci } from '../keys/circleci/rule.ts';
import { samples as circleciSamples } from '../keys/circleci/samples.ts';
import { clojars } from '../keys/clojars/rule.ts';
import { samples as clojarsSamples } from '../keys/clojars/samples.ts';
import { cloudflare } from '../keys/cloudflare/rule.ts';
import { samples as cloudflareSamples } from '../keys/cloudflare/samples.ts';
import { contentful } from '../keys/contentful/rule.ts';
import { samples as contentfulSamples } from '../keys/contentful/samples.ts';
import { crates } from '../keys/crates/rule.ts';
import { samples as cratesSamples } from '../keys/crates/samples.ts';
import { databricks } from '../keys/databricks/rule.ts';
import { samples as databricksSamples } from '../keys/databricks/samples.ts';
import { deepseek } from '../keys/deepseek/rule.ts';
import { samples as deepseekSamples } from '../keys/deepseek/samples.ts';
import { digitalocean } from '../keys/digitalocean/rule.ts';
import { samples as digitaloceanSamples } from '../keys/digitalocean/samples.ts';
import { docker } from '../keys/docker/rule.ts';
import { samples as dockerSamples } from '../keys/docker/samples.ts';
import { doppler } from '../keys/doppler/rule.ts';
import { samples as dopplerSamples } from '../keys/doppler/samples.ts';
import { dynatrace } from '../keys/dynatrace/rule.ts';
import { samples as dynatraceSamples } from '../keys/dynatrace/samples.ts';
import { easypost } from '../keys/easypost/rule.ts';
import { samples as easypostSamples } from '../keys/easypost/samples.ts';
import { elevenlabs } from '../keys/elevenlabs/rule.ts';
import { samples as elevenlabsSamples } from '../keys/elevenlabs/samples.ts';
import { figma } from '../keys/figma/rule.ts';
import { samples as figmaSamples } from '../keys/figma/samples.ts';
import { fly } from '../keys/fly/rule.ts';
import { samples as flySamples } from '../keys/fly/samples.ts';
import { github } from '../keys/github/rule.ts';
import { samples as githubSamples } from '../keys/github/samples.ts';
import { gitlab } from '../keys/gitlab/rule.ts';
import { samples as gitlabSamples } from '../keys/gitlab/samples.ts';
import { google } from '../keys/google/rule.ts';
import { samples as googleSamples } from '../keys/google/samples.ts';
import { grafana } from '../keys/grafana/rule.ts';
import { samples as grafanaSamples } from '../keys/grafana/samples.ts';
import { groq } from '../keys/groq/rule.ts';
import { samples as groqSamples } from '../keys/groq/samples.ts';
import { heroku } from '../keys/heroku/rule.ts';
import { samples as herokuSamples } from '../keys/heroku/samples.ts';
import { hubspot } from '../keys/hubspot/rule.ts';
import { samples as hubspotSamples } from '../keys/hubspot/samples.ts';
import { huggingFace } from '../keys/hugging-face/rule.ts';
import { samples as huggingFaceSamples } from '../keys/hugging-face/samples.ts';
import { langfuse } from '../keys/langfuse/rule.ts';
import { samples as langfuseSamples } from '../keys/langfuse/samples.ts';
import { langsmith } from '../keys/langsmith/rule.ts';
import { samples as langsmithSamples } from '../keys/langsmith/samples.ts';
import { linear } from '../keys/linear/rule.ts';
import { samples as linearSamples } from '../keys/linear/samples.ts';
import { mailgun } from '../keys/mailgun/rule.ts';
import { samples as mailgunSamples } from '../keys/mailgun/samples.ts';
import { neon } from '../keys/neon/rule.ts';
import { samples as neonSamples } from '../keys/neon/samples.ts';
import { netlify } from '../keys/netlify/rule.ts';
import { samples as netlifySamples } from '../keys/netlify/samples.ts';
import { newRelic } from '../keys/new-relic/rule.ts';
import { samples as newRelicSamples } from '../keys/new-relic/samples.ts';
import { notion } from '../keys/notion/rule.ts';
import { samples as notionSamples } from '../keys/notion/samples.ts';
import { npm } from '../keys/npm/rule.ts';
import { samples as npmSamples } from '../keys/npm/samples.ts';
import { nvidia } from '../keys/nvidia/rule.ts';
import { samples as nvidiaSamples } from '../keys/nvidia/samples.ts';
import { onePassword } from '../keys/one-password/rule.ts';
import { samples as onePasswordSamples } from '../keys/one-password/samples.ts';
import { openai } from '../keys/openai/rule.ts';
import { samples as openaiSamples } from '../keys/openai/samples.ts';
import { openrouter } from '../keys/openrouter/rule.ts';
import { samples as openrouterSamples } from '../keys/openrouter/samples.ts';
import { perplexity } from '../keys/perplexity/rule.ts';
import { samples as perplexitySamples } from '../keys/perplexity/samples.ts';
import { planetscale } from '../keys/planetscale/rule.ts';
import { samples as planetscaleSamples } from '../keys/planetscale/samples.ts';
import { posthog } from '../keys/posthog/rule.ts';
import { samples as posthogSamples } from '../keys/posthog/samples.ts';
import { postman } from '../keys/postman/rule.ts';
import { samples as postmanSamples } from '../keys/postman/samples.ts';
import { pulumi } from '../keys/pulumi/rule.ts';
import { samples as pulumiSamples } from '../keys/pulumi/samples.ts';
import { pypi } from '../keys/pypi/rule.ts';
import { samples as pypiSamples } from '../keys/pypi/samples.ts';
import { replicate } from '../keys/replicate/rule.ts';
import { samples as replicateSamples } from '../keys/replicate/samples.ts';
import { resend } from '../keys/resend/rule.ts';
import { samples as resendSamples } from '../keys/resend/samples.ts';
import { rubygems } from '../keys/rubygems/rule.ts';
import { samples as rubygemsSamples } from '../keys/rubygems/samples.ts';
import { sendgrid } from '../keys/sendgrid/rule.ts';
import { samples as sendgridSamples } from '../keys/sendgrid/samples.ts';
import { sentry } from '../keys/sentry/rule.ts';
import { samples as sentrySamples } from '../keys/sentry/samples.ts';
import { shopify } from '../keys/shopify/rule.ts';
import { samples as shopifySamples } from '../keys/shopify/samples.ts';
import { slack } from '../keys/slack/rule.ts';
import { samples as slackSamples } from '../keys/slack/samples.ts';
import { sonar } from '../keys/sonar/rule.ts';
import { samples as sonarSamples } from '../keys/sonar/samples.ts';
import { sourcegraph } from '../keys/sourcegraph/rule.ts';
import { samples as sourcegraphSamples } from '../keys/sourcegraph/samples.ts';
import { square } from '../keys/square/rule.ts';
import { samples as squareSamples } from '../keys/square/samples.ts';
import { stripe } from '../keys/stripe/rule.ts';
import { samples as stripeSamples } from '../keys/stripe/samples.ts';
import { supabase } from '../keys/supabase/rule.ts';
import { samples as supabaseSamples } from '../keys/supabase/samples.ts';
import { tailscale } from '../keys/tailscale/rule.ts';
import { samples as tailscaleSamples } from '../keys/tailscale/samples.ts';
import { telegram } from '../keys/telegram/rule.ts';
import { samples as telegramSamples } from '../keys/telegram/samples.ts';
import { together } from '../keys/together/rule.ts';
import { samples as togetherSamples } from '../keys/together/samples.ts';
import { twilio } from '../keys/twilio/rule.ts';
import { samples as twilioSamples } from '../keys/twilio/samples.ts';
import { vault } from '../keys/vault/rule.ts';
import { samples as vaultSamples } from '../keys/vault/samples.ts';
import { vercel } from '../keys/vercel/rule.ts';
import { samples as vercelSamples } from '../keys/vercel/samples.ts';
import { xai } from '../keys/xai/rule.ts';
import { samples as xaiSamples } from '../keys/xai/samples.ts';
import { pem } from '../private-keys/pem/rule.ts';
import { samples as pemSamples } from '../private-keys/pem/samples.ts';
import { putty } from '../private-keys/putty/rule.ts';
import { samples as puttySamples } from '../private-keys/putty/samples.ts';
import { age } from '../private-keys/age/rule.ts';
import { samples as ageSamples } from '../private-keys/age/samples.ts';
import { wireguard } from '../private-keys/wireguard/rule.ts';
import { samples as wireguardSamples } from '../private-keys/wireguard/samples.ts';
import { jwt } from '../tokens/jwt/rule.ts';
import { samples as jwtSamples } from '../tokens/jwt/samples.ts';
import { card } from '../payment/card/rule.ts';
import { samples as cardSamples } from '../payment/card/samples.ts';
import { iban } from '../payment/iban/rule.ts';
import { samples as ibanSamples } from '../payment/iban/samples.ts';
import { email } from '../personal/email/rule.ts';
import { samples as emailSamples } from '../personal/email/samples.ts';
import { phone } from '../personal/phone/rule.ts';
import { samples as phoneSamples } from '../personal/phone/samples.ts';
import { discord, discordWebhook } from '../keys/discord/rule.ts';
import { samples as discordSamples, webhookSamples } from '../keys/discord/samples.ts';
import { nationalIds } from '../personal/national-ids/index.ts';
import { nationalIdSamples } from '../personal/national-ids/samples.ts';
import type { Rule, Samples } from '../types.ts';

/** Every rule with its samples. */
export const allSamples: readonly (readonly [Rule, Samples])[] = [
  [airtable, airtableSamples],
  [anthropic, anthropicSamples],
  [atlassian, atlassianSamples],
  [aws, awsSamples],
  [awsSecret, awsSecretSamples],
  [azureClient, azureClientSamples],
  [azureStorage, azureStorageSamples],
  [brevo, brevoSamples],
  [buildkite, buildkiteSamples],
  [cerebras, cerebrasSamples],
  [circleci, circleciSamples],
  [clojars, clojarsSamples],
  [cloudflare, cloudflareSamples],
  [contentful, contentfulSamples],
  [crates, cratesSamples],
  [databricks, databricksSamples],
  [deepseek, deepseekSamples],
  [digitalocean, digitaloceanSamples],
  [docker, dockerSamples],
  [doppler, dopplerSamples],
  [dynatrace, dynatraceSamples],
  [easypost, easypostSamples],
  [elevenlabs, elevenlabsSamples],
  [figma, figmaSamples],
  [fly, flySamples],
  [github, githubSamples],
  [gitlab, gitlabSamples],
  [google, googleSamples],
  [grafana, grafanaSamples],
  [groq, groqSamples],
  [heroku, herokuSamples],
  [hubspot, hubspotSamples],
  [huggingFace, huggingFaceSamples],
  [langfuse, langfuseSamples],
  [langsmith, langsmithSamples],
  [linear, linearSamples],
  [mailgun, mailgunSamples],
  [neon, neonSamples],
  [netlify, netlifySamples],
  [newRelic, newRelicSamples],
  [notion, notionSamples],
  [npm, npmSamples],
  [nvidia, nvidiaSamples],
  [onePassword, onePasswordSamples],
  [openai, openaiSamples],
  [openrouter, openrouterSamples],
  [perplexity, perplexitySamples],
  [planetscale, planetscaleSamples],
  [posthog, posthogSamples],
  [postman, postmanSamples],
  [pulumi, pulumiSamples],
  [pypi, pypiSamples],
  [replicate, replicateSamples],
  [resend, resendSamples],
  [rubygems, rubygemsSamples],
  [sendgrid, sendgridSamples],
  [sentry, sentrySamples],
  [shopify, shopifySamples],
  [slack, slackSamples],
  [sonar, sonarSamples],
  [sourcegraph, sourcegraphSamples],
  [square, squareSamples],
  [stripe, stripeSamples],
  [supabase, supabaseSamples],
  [tailscale, tailscaleSamples],
  [telegram, telegramSamples],
  [together, togetherSamples],
  [twilio, twilioSamples],
  [vault, vaultSamples],
  [vercel, vercelSamples],
  [xai, xaiSamples],
  [pem, pemSamples],
  [putty, puttySamples],
  [age, ageSamples],
  [wireguard, wireguardSamples],
  [jwt, jwtSamples],
  [card, cardSamples],
  [iban, ibanSamples],
  [email, emailSamples],
  [phone, phoneSamples],
  [discord, discordSamples],
  [discordWebhook, webhookSamples],
  ...nationalIds.map((rule) => [rule, nationalIdSamples.get(rule.name) ?? { found: [], ignored: [] }] as const),
];
