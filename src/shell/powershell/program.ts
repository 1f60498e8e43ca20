/**
 * The program that PowerShell runs to parse texts: one JSON object per line in, one per line out. It parses and never
 * evaluates. It names every node outside its list of harmless nodes. So a node of a later language version is asked
 * about, not passed over.
 */
export const powershellProgram = String.raw`
$ErrorActionPreference = 'Stop'
$quiet = @('ScriptBlockAst','NamedBlockAst','StatementBlockAst','PipelineAst','PipelineChainAst','CommandAst','CommandParameterAst','CommandExpressionAst','StringConstantExpressionAst','ExpandableStringExpressionAst','ConstantExpressionAst','VariableExpressionAst','SubExpressionAst','ParenExpressionAst','ArrayExpressionAst','ArrayLiteralAst','FileRedirectionAst','MergingRedirectionAst','IfStatementAst','BinaryExpressionAst','UnaryExpressionAst','ForEachStatementAst','WhileStatementAst')
function Word($ast) {
  $word = @{ kind = 'dynamic'; text = $ast.Extent.Text; start = $ast.Extent.StartOffset; end = $ast.Extent.EndOffset }
  if ($ast -is [Management.Automation.Language.StringConstantExpressionAst]) { $word.kind = 'static'; $word.value = $ast.Value }
  if ($ast -is [Management.Automation.Language.CommandParameterAst] -and $null -eq $ast.Argument) { $word.kind = 'static'; $word.value = $ast.Extent.Text }
  $word
}
function Read-Text($text) {
  $tokens = $null; $errors = $null
  $tree = [Management.Automation.Language.Parser]::ParseInput($text, [ref]$tokens, [ref]$errors)
  $nodes = @($tree.FindAll({ $true }, $true))
  $strange = @($nodes | Where-Object { $quiet -notcontains $_.GetType().Name } | ForEach-Object { $_.GetType().Name } | Select-Object -Unique)
  if ($tree.ParamBlock -or $tree.BeginBlock -or $tree.ProcessBlock -or $tree.CleanBlock -or $tree.DynamicParamBlock -or $tree.UsingStatements) { $strange += 'blocks' }
  if ($text.Contains('--%')) { $strange += 'StopParsing' }
  $commands = @($nodes | Where-Object { $_ -is [Management.Automation.Language.CommandAst] } | ForEach-Object {
    $pipeline = $_.Parent
    $place = if ($pipeline -is [Management.Automation.Language.PipelineAst]) { $pipeline.PipelineElements.IndexOf($_) } else { -1 }
    @{ words = @($_.CommandElements | ForEach-Object { Word $_ }); start = $_.Extent.StartOffset; end = $_.Extent.EndOffset; piped = ($place -ne 0); top = ($pipeline.Parent -eq $tree.EndBlock)
       redirects = @($_.Redirections | Where-Object { $_ -is [Management.Automation.Language.FileRedirectionAst] } | ForEach-Object { @{ append = $_.Append; target = (Word $_.Location) } }) }
  })
  @{ errors = @($errors | ForEach-Object { @{ message = $_.Message; start = $_.Extent.StartOffset; end = $_.Extent.EndOffset } }); strange = $strange; commands = $commands }
}
while ($null -ne ($line = [Console]::In.ReadLine())) {
  $request = $line | ConvertFrom-Json
  try { $answer = Read-Text $request.text } catch { $answer = @{ errors = @(@{ message = 'PowerShell could not read the text'; start = 0; end = 0 }); strange = @(); commands = @() } }
  $answer.id = $request.id
  [Console]::Out.WriteLine(($answer | ConvertTo-Json -Depth 8 -Compress))
  [Console]::Out.Flush()
}
`;
